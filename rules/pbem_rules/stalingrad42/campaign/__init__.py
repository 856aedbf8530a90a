"""What the campaign alone has: units that leave and are upgraded, reserve armies that wait, the Winter Offensive."""
