"""`pbem umpire audit`: the same verdicts however many work on them, kept as they come."""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import signal
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from distributed import LocalCluster

sys.path.append(str(Path(__file__).parent.parent / "cli"))

from homes import settle
from shapes import fits

from pbem.engine.workers import WorkerError
from pbem.umpire import UmpireError, auditing, progress, umpiredesk
from pbem.umpire.db import queries
from pbem.umpire.db.database import Store
from tools.full_desk import full_desk, played

GAMES = 7


@pytest.fixture(scope="module")
def archives():
    return played(3, whole=False)


@pytest.fixture
def desk(store, archives):
    return full_desk(store, archives, GAMES)


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        yield made.scheduler_address


def audited(desk, how, most=None):
    """The verdicts that are kept, by game, after so many were found."""
    jobs, _ = desk.archives_to_audit()
    found = desk.keep_verdicts(how(jobs, desk.archive))
    for number, _ in enumerate(found, 1):
        if number == most:
            found.close()
            break
    return {row.pairing: (row.sha256, row.ok, row.verdict) for row in desk.audits()}


def spoil(desk, label, raw):
    with desk.writing("cup") as (writing, tournament):
        progress.archived(writing, queries.find_pairing(writing.db, tournament.id, label), raw, whole=True)


def test_processes_and_a_cluster_find_the_same(tmp_path, archives, cluster):
    ways = {
        "one": lambda jobs, fetch: auditing.by_processes(jobs, fetch, 1),
        "two": lambda jobs, fetch: auditing.by_processes(jobs, fetch, 2),
        "cluster": lambda jobs, fetch: auditing.by_cluster(jobs, fetch, cluster),
    }
    found = {}
    for name, how in ways.items():
        store = Store.open(tmp_path / f"{name}.db")
        desk = full_desk(store, archives, GAMES)
        spoil(desk, "1.3", archives[0][:-200])
        found[name] = audited(desk, how)
        assert desk.archives_to_audit() == ([], GAMES)
        assert desk.check().ok
        store.close()
    assert found["one"] == found["two"] == found["cluster"]
    assert [ok for _, ok, _ in found["one"].values()].count(False) == 1
    assert len(found["one"]) == GAMES
    assert all(verdict["records"] for _, ok, verdict in found["one"].values() if ok)


def test_a_stopped_audit_goes_on_with_what_is_left(desk):
    one = lambda jobs, fetch: auditing.by_processes(jobs, fetch, 1)  # noqa: E731
    jobs, count = desk.archives_to_audit()
    kept = audited(desk, lambda jobs, fetch: one(jobs[:3], fetch))
    assert (len(kept), count) == (3, GAMES)
    left, _ = desk.archives_to_audit()
    assert {job.pairing for job in left} == {job.pairing for job in jobs} - set(kept)

    def breaks(jobs, fetch):
        yield from one(jobs[:2], fetch)
        raise UmpireError("E-UMPIRE-CLUSTER", "It broke.")

    with pytest.raises(UmpireError):
        audited(desk, breaks)
    assert len(desk.archives_to_audit()[0]) == GAMES - 5
    assert len(audited(desk, one)) == GAMES
    assert desk.archives_to_audit()[0] == []
    assert len(desk.archives_to_audit(again=True)[0]) == GAMES


def test_a_new_archive_and_a_new_pbem_are_audited_again(desk, archives, monkeypatch):
    one = lambda jobs, fetch: auditing.by_processes(jobs, fetch, 1)  # noqa: E731
    audited(desk, one)
    row = desk.pairing("cup", "1.1")
    held = {job.pairing: job.sha256 for job in desk.archives_to_audit(again=True)[0]}
    spoil(desk, "1.1", next(raw for raw in archives if auditing.sha256(raw).digest() != held[row.id]))
    assert [job.pairing for job in desk.archives_to_audit()[0]] == [row.id]
    monkeypatch.setattr(umpiredesk, "__version__", "9.9")
    assert len(desk.archives_to_audit()[0]) == GAMES


def test_an_archive_that_is_not_the_one_kept(archives):
    verdict = auditing.verdict_of(auditing.judge(archives[0], bytes(32)))
    assert not verdict.ok
    assert verdict.why.endswith("[E-UMPIRE-JOURNAL]")


def test_what_is_wrong_is_said(archives):
    raw = archives[0][:-1]
    verdict = auditing.verdict_of(auditing.judge(raw, auditing.sha256(raw).digest()))
    assert "[E-" in verdict.why
    assert verdict.game is None


def test_a_process_that_is_ended_from_outside(desk):
    killed = []
    others = set(multiprocessing.active_children())  # the workers of a cluster

    def kill(jobs, fetch):
        for found in auditing.by_processes(jobs * 20, fetch, 2):
            yield found
            if not killed:
                killed.extend(each.pid for each in set(multiprocessing.active_children()) - others)
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)

    with pytest.raises(WorkerError) as refused:
        audited(desk, kill)
    assert refused.value.code == "E-WORKER"
    assert desk.audits()


def test_clusters_that_do_not_serve(desk, cluster, monkeypatch):
    fetch = desk.archive
    jobs, _ = desk.archives_to_audit()
    monkeypatch.setattr(auditing, "CONNECT", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(UmpireError) as refused:
            list(auditing.by_cluster(jobs, fetch, address))
        assert refused.value.code == "E-UMPIRE-CLUSTER"
    monkeypatch.setattr(auditing, "__version__", "9.9")
    with pytest.raises(UmpireError, match="has pbem"):
        list(auditing.by_cluster(jobs, fetch, cluster))


def test_the_command(tmp_path, archives):
    una = settle(tmp_path, "Una Umpire")
    folder = una.home / "umpire"
    folder.mkdir(parents=True)
    store = Store.open(folder / "desk.db")
    desk = full_desk(store, archives, 3)
    said = una("umpire", "audit", "--jobs", "2")
    assert "3 archives audited; 3 of 3 verified." in said.out
    assert "3 of 3 archives" in said.err
    done = fits("umpire-audit", una("umpire", "audit", "cup", "--json").json)
    assert (done["archives"], done["done"], done["ok"]) == (3, 0, True)
    spoil(desk, "1.2", archives[0][:-1])
    said = una("umpire", "audit", code=1)
    assert "cup 1.2: NOT VERIFIED." in said.out
    assert "[E-" in said.out
    done = fits("umpire-audit", una("umpire", "audit", "--json", code=1).json)
    assert [each["game"] for each in done["audits"] if not each["ok"]] == ["1.2"]
    rows = csv.DictReader(io.StringIO(una("umpire", "audit", "--list", "--csv", code=1).out))
    assert [row["ok"] for row in rows].count("0") == 1
    assert una("umpire", "audit", "--cluster", "x", "--jobs", "2", code=2).code == 2
    store.close()


def test_what_is_no_verdict_is_not_kept(archives):
    for raw in (archives[0], archives[0][:-200], b"nothing"):
        told = auditing.judge(raw, sha256(raw).digest())
        assert auditing.verdict_of(told)
        for key in told:
            assert not auditing.verdict_of({name: value for name, value in told.items() if name != key})
            assert not auditing.verdict_of({**told, key: object()})
        assert not auditing.verdict_of({**told, "pbem": "0"})
        assert not auditing.verdict_of({**told, "pending": [[0, "x" * auditing.MAX_VERDICT]]})
    for odd in (None, [], {}, {1: 2}, {**told, "ok": True}, {**told, "more": 1}, {**told, "first_bad": {}}):
        assert not auditing.verdict_of(odd)


def test_a_worker_that_answers_nonsense_ends_the_audit(desk, cluster, monkeypatch):
    jobs, _ = desk.archives_to_audit()
    monkeypatch.setattr(auditing, "judge", max)  # of the bytes and their digest
    with pytest.raises(UmpireError) as caught:
        list(auditing.by_cluster(jobs, desk.archive, cluster))
    assert caught.value.code == "E-UMPIRE-CLUSTER"
    assert "no verdict" in caught.value.sentence
