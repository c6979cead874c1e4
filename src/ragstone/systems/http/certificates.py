"""TLS contexts: trusted certificate authorities and the client's own certificate."""

import ssl

from ragstone.core.errors import ConnectError


def trusting(ca_file: str | None, *, verify: bool = True) -> ssl.SSLContext:
    """Return a context that trusts the certificates of a file, or the system's."""
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except (OSError, ssl.SSLError) as error:
        raise ConnectError("ask.ca_file", file=str(ca_file), problem=str(error)) from error
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["http/1.1"])
    return context


def show_certificate(context: ssl.SSLContext, cert: str, key: str | None, password: str) -> None:
    """Load a client certificate into a TLS context."""
    try:
        # Without a password of ours, OpenSSL would ask for one at the terminal.
        context.load_cert_chain(cert, key, password=lambda: password)
    except (OSError, ssl.SSLError, ValueError) as error:
        raise ConnectError("ask.client_cert", file=cert, problem=str(error)) from error
