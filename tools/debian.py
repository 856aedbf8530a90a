"""Packages of Debian that tests need and that no tool brings itself."""

from __future__ import annotations

import os
import subprocess


def install(*packages: str) -> None:
    """From the lists that are there; if they are too old, from new ones. Nothing is asked, and no setting replaced."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-y", "-qq", "-o", "Dpkg::Use-Pty=0", "-o", "Dpkg::Options::=--force-confold"]
    wanted = [*apt, "install", "--no-install-recommends", *packages]
    if subprocess.run(wanted, env=environment, stdout=subprocess.DEVNULL, check=False).returncode:
        subprocess.run([*apt, "update"], env=environment, check=True)
        subprocess.run(wanted, env=environment, check=True)
