"""Certificates for tests: authorities and what they have signed, made by the program openssl."""

import subprocess

DAY = 1


class Certificates:
    """In a folder of its own: NAME.pem and NAME.key for each."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.make_authority("ca")
        self.make_authority("stranger")
        self.sign("ca", "server", "IP:127.0.0.1,DNS:localhost")
        self.sign("ca", "alice", "email:alice@example.org")

    def path(self, name):
        return str(self.folder / name)

    def server(self):
        """What a server's environment has."""
        return {"SIDL_TLS_CERT": self.path("server.pem"), "SIDL_TLS_KEY": self.path("server.key")}

    def client(self):
        """What the environment of clients of such a server has."""
        return {"SIDL_TLS_CA": self.path("ca.pem")}

    def run(self, *arguments):
        done = subprocess.run(
            ["openssl", *arguments], cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _key(self, name):
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        return [*curve, "-nodes", "-keyout", f"{name}.key"]

    def make_authority(self, name):
        self.run(
            "req", "-x509", "-days", "2", "-subj", f"/CN={name}", *self._key(name),
            "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", f"{name}.pem",
        )  # fmt: skip

    def sign(self, authority, name, alternatives, days=DAY):
        """A certificate for the names; `days` may be negative: it has expired."""
        (self.folder / "extensions").write_text(f"subjectAltName={alternatives}\n")
        self.run("req", "-subj", f"/CN={name}", *self._key(name), "-out", "request")
        self.run(
            "x509", "-req", "-days", str(days), "-in", "request", "-CA", f"{authority}.pem",
            "-CAkey", f"{authority}.key", "-CAcreateserial", "-extfile", "extensions",
            "-out", f"{name}.pem",
        )  # fmt: skip

    def revoke(self, authority, name):
        """Path of a list in which the certificate is."""
        (self.folder / "index.txt").touch()
        (self.folder / "crlnumber").write_text("01\n")
        (self.folder / "ca.conf").write_text(
            "[ca]\ndefault_ca=this\n[this]\ndatabase=index.txt\ncrlnumber=crlnumber\n"
            "default_md=sha256\ndefault_crl_days=1\n"
        )
        signer = ["-config", "ca.conf", "-cert", f"{authority}.pem", "-keyfile", f"{authority}.key"]
        self.run("ca", *signer, "-revoke", f"{name}.pem")
        self.run("ca", *signer, "-gencrl", "-out", "revoked.pem")
        return self.path("revoked.pem")
