"""The parts that only the campaign has: units that leave and are upgraded, reserve armies that wait, the Winter
Offensive."""
