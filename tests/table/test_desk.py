from desks import play, start, two


def test_two_homes_play_a_whole_game(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    assert alice.find("bridge") == bob.find(name) == name
    play((alice, bob), name)
    rows = [desk.row(name) for desk in (alice, bob)]
    assert [row.stage for row in rows] == ["over", "over"]
    assert rows[0].result == rows[1].result
    assert [line.id for line in alice.log(name)] == [line.id for line in bob.log(name)]
