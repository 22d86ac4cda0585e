"""Tells systemd how we are (sd_notify), when it asked to be told."""

from __future__ import annotations

import os
import socket


def tell(state: str) -> None:
    """Send ``READY=1``, ``STOPPING=1`` ... to the socket that systemd named in the environment; nothing without one."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
        try:
            connection.connect(address)
            connection.sendall(state.encode())
        except OSError:
            pass  # nobody listens: then nobody is to be told
