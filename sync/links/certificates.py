"""Owns the TLS of the links: an authority that all who hold the event's key can work out alike.

The authority's Ed25519 key and certificate follow from the event's key to the octet, so a unit
verifies the master without having been given a file. Validity spans 1970 to 9999, since the clock
of a fresh Pi may stand in 1970. Who holds the event's key could also sign; keys per unit come with
enrolment.
"""

import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from sync.keys import derive

NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tableside event")])
FROM = datetime.datetime(1970, 1, 2, tzinfo=datetime.UTC)
UNTIL = datetime.datetime(9999, 12, 30, tzinfo=datetime.UTC)


def authority(event_key: bytes) -> tuple[Ed25519PrivateKey, x509.Certificate]:
    """Return the event's signing key and certificate, the same for everybody with the key."""
    key = Ed25519PrivateKey.from_private_bytes(derive(event_key, "authority"))
    certificate = _builder(NAME, key, serial=1).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    return key, certificate.sign(key, None)


def unit_context(event_key: bytes) -> ssl.SSLContext:
    """Return what a unit connects with: only a master of this event is believed."""
    _, certificate = authority(event_key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # masters move between addresses; the authority is pinned
    context.load_verify_locations(cadata=_pem(certificate).decode())
    return context


def write_server_files(event_key: bytes, directory: Path, host: str) -> tuple[Path, Path]:
    """Write a fresh server certificate and its key; return both paths."""
    ca_key, ca = authority(event_key)
    key = Ed25519PrivateKey.generate()
    names: list[x509.GeneralName] = [x509.DNSName("tableside-master")]
    try:
        names.append(x509.IPAddress(ipaddress.ip_address(host)))
    except ValueError:
        names.append(x509.DNSName(host))
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tableside master")])
    certificate = (
        _builder(subject, key, serial=x509.random_serial_number())
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(ca_key, None)
    )
    cert_file, key_file = directory / "server.pem", directory / "server.key"
    cert_file.write_bytes(_pem(certificate) + _pem(ca))
    key_file.touch(mode=0o600)
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_file, key_file


def _builder(subject: x509.Name, key: Ed25519PrivateKey, *, serial: int) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(NAME)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(FROM)
        .not_valid_after(UNTIL)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
