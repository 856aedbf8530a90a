"""Real mail servers on loopback, for tests and for trying: Dovecot (IMAP) and Postfix (SMTP), as Debian has them.

Each pair lives in a folder of its own with ports of its own; the system's configuration is not touched. Starting needs
root, as both drop their rights themselves. `python -m tools.mailservers install|run` is what `make mail-servers` says.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tools import debian
from tools.serving import Serving

PACKAGES = ("dovecot-imapd", "dovecot-lmtpd", "postfix")
NEEDED = (
    "/usr/sbin/dovecot",
    "/usr/lib/dovecot/imap",
    "/usr/lib/dovecot/lmtp",
    "/usr/sbin/postfix",
)
DOMAIN = "pbem.test"
BOX_USER = "nobody"


def lacking() -> str:
    """Why no servers can be started here; empty when they can."""
    missing = [path for path in NEEDED if not Path(path).exists()]
    if missing:
        return f"{', '.join(missing)} not there: install the packages with `make mail-servers`"
    return "" if os.geteuid() == 0 else "only root can start them"


def install() -> None:
    """From the system's packages. Another mail server is pushed aside only if PBEM_MAIL_SERVERS_REPLACE says so."""
    if not [path for path in NEEDED if not Path(path).exists()]:
        return
    other = Path("/usr/sbin/sendmail").exists() and not Path("/usr/sbin/postfix").exists()
    if other and not os.environ.get("PBEM_MAIL_SERVERS_REPLACE"):
        sys.exit("Postfix would replace the mail server of this machine. If you want that: PBEM_MAIL_SERVERS_REPLACE=1")
    debian.install(*PACKAGES)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class MailServers:
    """One pair. `users` are local parts with their quota in bytes (0: none); the password is the local part + "-pw"."""

    def __init__(self, users: dict[str, int], folder: Path | None = None) -> None:
        # Paths of sockets are short; the servers' own users must be able to come here.
        self.folder = folder or Path(tempfile.mkdtemp(prefix="pbem-mail-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.users = users
        self.imap, self.imaps, self.smtp, self.smtps = (free_port() for _ in range(4))
        self.ca = self.folder / "cert.pem"
        self._write()

    @staticmethod
    def password(user: str) -> str:
        return f"{user}-pw"

    @staticmethod
    def address(user: str) -> str:
        return f"{user}@{DOMAIN}"

    # Running

    def start(self) -> None:
        self.start_dovecot()
        self.start_postfix()

    def start_dovecot(self) -> None:
        self._say("/usr/sbin/dovecot", "-c", str(self.folder / "dovecot.conf"))
        for port in (self.imap, self.imaps):
            self._await(port)

    def start_postfix(self) -> None:
        self._say("/usr/sbin/postfix", "-c", str(self.folder / "postfix"), "start")
        for port in (self.smtp, self.smtps):
            self._await(port)

    def stop(self) -> None:
        self.stop_postfix()
        self.stop_dovecot()

    def stop_dovecot(self) -> None:
        with suppress(RuntimeError):
            self._say("/usr/sbin/dovecot", "-c", str(self.folder / "dovecot.conf"), "stop")

    def stop_postfix(self) -> None:
        with suppress(RuntimeError):
            self._say("/usr/sbin/postfix", "-c", str(self.folder / "postfix"), "stop")

    def _say(self, *command: str) -> None:
        # To a file: the servers keep what they are started with, and a pipe would never end.
        with (self.folder / "started.log").open("ab") as log:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=60, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}\n{self.log()}")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self) -> str:
        found = []
        for name in ("started.log", "dovecot.log", "postfix.log"):
            with suppress(OSError):
                found.append((self.folder / name).read_text(errors="replace")[-4000:])
        return "\n".join(found)

    def queued(self) -> bool:
        """Postfix holds mail that it has not delivered."""
        queues = (self.folder / "spool" / name for name in ("maildrop", "incoming", "active", "deferred"))
        return any(path.is_file() for queue in queues for path in queue.rglob("*"))

    def box(self, user: str) -> Path:
        return self.folder / "mail" / user / "Maildir"

    def deliver(self, user: str, raw: bytes, name: str) -> None:
        """Puts a mail into a mailbox directly."""
        box = self.box(user)
        owner = pwd.getpwnam(BOX_USER)
        for sub in ("", "cur", "new", "tmp"):
            if not (box / sub).exists():
                (box / sub).mkdir(parents=True)
                os.chown(box / sub, owner.pw_uid, owner.pw_gid)
        path = box / "new" / name
        path.write_bytes(raw)
        os.chown(path, owner.pw_uid, owner.pw_gid)

    def _await(self, port: int) -> None:
        until = time.monotonic() + 30
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            if time.monotonic() > until:
                raise RuntimeError(f"no server at port {port}\n{self.log()}")
            time.sleep(0.05)

    # Configuration

    def _write(self) -> None:
        folder = self.folder
        _certificate(self.ca, folder / "key.pem")
        owner = pwd.getpwnam(BOX_USER)
        run = folder / "run"
        for sub in ("run", "mail", "postfix", "spool", "data"):
            (folder / sub).mkdir(exist_ok=True)
        run.chmod(0o755)
        for user in self.users:
            (folder / "mail" / user).mkdir(exist_ok=True)
            os.chown(folder / "mail" / user, owner.pw_uid, owner.pw_gid)
        os.chown(folder / "mail", owner.pw_uid, owner.pw_gid)
        lines = []
        for user, quota in self.users.items():
            extra = f" userdb_quota_rule=*:bytes={quota}" if quota else ""
            home = folder / "mail" / user
            lines.append(
                f"{self.address(user)}:{{PLAIN}}{self.password(user)}:{owner.pw_uid}:{owner.pw_gid}::{home}::"
                f"userdb_mail=maildir:{home}/Maildir{extra}"
            )
        (folder / "users").write_text("\n".join(lines) + "\n")
        (folder / "boxes").write_text("".join(f"{self.address(user)} x\n" for user in self.users))
        (folder / "dovecot.conf").write_text(self._dovecot())
        (folder / "postfix" / "main.cf").write_text(self._main_cf())
        (folder / "postfix" / "master.cf").write_text(self._master_cf())
        shutil.chown(folder / "data", "postfix")

    def _dovecot(self) -> str:
        folder = self.folder
        return f"""
base_dir = {folder}/run/dovecot
state_dir = {folder}/run/state
instance_name = {folder.name}
protocols = imap lmtp
listen = 127.0.0.1
log_path = {folder}/dovecot.log
ssl = yes
ssl_cert = <{self.ca}
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_max_userip_connections = 100
first_valid_uid = 1
first_valid_gid = 1
mail_plugins = quota
maildir_stat_dirs = yes
quota_full_tempfail = no
passdb {{
  driver = passwd-file
  args = username_format=%u {folder}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%u {folder}/users
}}
service imap-login {{
  inet_listener imap {{
    port = {self.imap}
  }}
  inet_listener imaps {{
    port = {self.imaps}
    ssl = yes
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service lmtp {{
  unix_listener {folder}/run/lmtp {{
    mode = 0666
  }}
}}
service auth {{
  unix_listener {folder}/run/auth {{
    mode = 0666
  }}
}}
plugin {{
  quota = maildir:User quota
  quota_rule = *:storage=1G
}}
"""

    def _main_cf(self) -> str:
        folder = self.folder
        return f"""
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
mail_owner = postfix
setgid_group = postdrop
myhostname = mail.{DOMAIN}
mydestination =
mynetworks =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
virtual_mailbox_domains = {DOMAIN}
virtual_mailbox_maps = texthash:{folder}/boxes
virtual_transport = lmtp:unix:{folder}/run/lmtp
alias_maps =
alias_database =
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {folder}/run/auth
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_reject_unlisted_recipient = yes
smtpd_tls_cert_file = {self.ca}
smtpd_tls_key_file = {folder}/key.pem
smtpd_tls_security_level = may
smtpd_error_sleep_time = 0
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
bounce_template_file =
"""

    def _master_cf(self) -> str:
        return f"""
127.0.0.1:{self.smtp} inet n - n - - smtpd
127.0.0.1:{self.smtps} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def _certificate(cert: Path, key: Path) -> None:
    """For localhost, signed by itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(tz=datetime.UTC)
    public = secret.public_key()
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
        .sign(secret, hashes.SHA256())
    )
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        secret.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    key.chmod(0o600)


def run() -> None:
    """A pair with two mailboxes, until it is stopped."""
    servers = MailServers({"alice": 0, "bob": 0})
    with Serving(servers) as serving:
        print(f"IMAP {servers.imaps} (TLS), SMTP {servers.smtps} (TLS) on localhost.")
        print(f"Certificate {servers.ca}. Mailboxes alice@{DOMAIN} (alice-pw) and bob@{DOMAIN} (bob-pw). Ctrl-C stops.")
        sys.stdout.flush()
        serving.wait()


def main() -> None:
    install()
    if why := lacking():
        sys.exit(f"The mail servers cannot be started: {why}.")
    if sys.argv[1:] == ["run"]:
        run()


if __name__ == "__main__":
    main()
