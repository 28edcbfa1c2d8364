"""The client of chat models; what a server answers is tested with ``lab/test_endpoint.py``."""

import pytest

from pagesum_cli.chat import Address
from pagesum_cli.errors import UsageError


@pytest.mark.parametrize(
    ("name", "url", "model", "is_internal"),
    [
        ("http://localhost:8000#a#b", "http://localhost:8000/v1", "a#b", True),
        ("https://host/api/v3/#m", "https://host/api/v3", "m", False),
        ("http://[::1]:80#m", "http://[::1]:80/v1", "m", True),
        ("http://10.0.0.1#m", "http://10.0.0.1/v1", "m", False),
    ],
)
def test_addresses(name: str, url: str, model: str, is_internal: bool) -> None:
    assert Address.of(name, "--editor") == Address(url, model, is_internal)
    assert Address.of(f"openai:{name}", "--system", "openai:") == Address(url, model, is_internal)


def test_an_address_names_its_option_where_it_is_none() -> None:
    with pytest.raises(UsageError, match="--editor …: expected URL#MODEL"):
        Address.of("http://localhost:8000", "--editor")
