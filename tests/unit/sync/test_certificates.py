"""The event's authority: worked out alike by all who hold the key, and by nobody else."""

from pathlib import Path

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding

from sync.links.certificates import authority, write_server_files

KEY, OTHER = b"k" * 32, b"o" * 32


def der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(Encoding.DER)


def leaf(directory: Path, host: str = "192.168.1.5") -> x509.Certificate:
    file, _ = write_server_files(KEY, directory, host)
    return x509.load_pem_x509_certificates(file.read_bytes())[0]


def test_the_authority_is_the_same_to_the_octet_and_another_for_another_key():
    assert der(authority(KEY)[1]) == der(authority(KEY)[1])
    assert der(authority(KEY)[1]) != der(authority(OTHER)[1])


def test_the_server_is_signed_by_its_event_only(tmp_path: Path):
    certificate = leaf(tmp_path)
    certificate.verify_directly_issued_by(authority(KEY)[1])
    with pytest.raises(InvalidSignature):
        certificate.verify_directly_issued_by(authority(OTHER)[1])


def test_it_is_valid_while_the_clock_of_a_fresh_pi_stands_in_1970(tmp_path: Path):
    for certificate in (leaf(tmp_path), authority(KEY)[1]):
        assert certificate.not_valid_before_utc.year == 1970
        assert certificate.not_valid_after_utc.year == 9999


@pytest.mark.parametrize("host", ["192.168.1.5", "::1", "td-station.local"])
def test_the_server_names_its_address(tmp_path: Path, host: str):
    names = leaf(tmp_path, host).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    assert host in [str(name.value) for name in names.value]
