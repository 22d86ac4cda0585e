"""Any bytes at the door: every answer is a reply, none tells of an exception, nothing is kept that was not answered 250."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

PIECES = [
    b"EHLO a.example\r\n", b"HELO a\r\n", b"LHLO a.example\r\n", b"MAIL FROM:<a@example.org>\r\n", b"MAIL FROM:<>\r\n",
    b"MAIL FROM:<a@example.org> SIZE=10 BODY=8BITMIME SMTPUTF8\r\n", b"RCPT TO:<judge@judge.example.org>\r\n",
    b"RCPT TO:<spring42@judge.example.org>\r\n", b"RCPT TO:<boom@judge.example.org>\r\n", b"DATA\r\n", b".\r\n",
    b"Subject: x\r\n\r\nhello\r\n.\r\n", b"BOOM\r\n.\r\n", b"\r\n", b"\n", b"\r", b"\n.\n", b"\n.\r\n", b"\r\n.\r",
    b"..\r\n", b"RSET\r\n", b"NOOP\r\n", b"VRFY x\r\n", b"EXPN x\r\n", b"HELP\r\n", b"HELP MAIL\r\n", b"AUTH LOGIN\r\n",
    b"QUIT\r\n", b"STARTTLS\r\n", b"\xff\xfe\r\n", b"MAIL FROM:<\xff@x>\r\n", b"\x00\r\n", b"RCPT TO:<\"\\\r\n",
    b"a" * 3000 + b"\r\n", b"a" * 70_000 + b"\r\n",
]  # fmt: skip

talk = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=30)), max_size=25)


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=talk)
@example(pieces=[b"EHLO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<judge@judge.example.org>\r\nDATA\r\n", b"x\n.\r\n", b"\r\n.\r\n"])
def test_any_bytes_get_replies_alone(open_door, protocol, pieces):
    async def scenario():
        async with open_door() as it, it.client(protocol) as client:
            greeting = (b"EHLO" if protocol == "smtp" else b"LHLO") + b" a.example\r\n"
            await client.send(greeting + b"".join(pieces) + b"\r\n.\r\nQUIT\r\nQUIT\r\n")
            said, cut = b"", False
            try:
                async with asyncio.timeout(20):
                    while chunk := await client.reader.read(65536):
                        said += chunk
            except ConnectionError:  # it was closed before all was read, so its last replies may be lost on the way
                cut = True
            text = said.decode()
            for line in text.split("\r\n")[:-1]:
                assert re.match(r"[2-5]\d\d[ -]", line), line
            assert "secret" not in text and "Error: (" not in text and "Traceback" not in text
            kept = text.count("250 2.0.0 kept as")
            if not cut:
                assert kept >= len(it.keeper.mails) if protocol == "lmtp" else kept == len(it.keeper.mails)
            client.close()
            async with asyncio.timeout(20):
                while it.door._sessions:
                    await asyncio.sleep(0.001)
            assert it.door.memory.held == 0
            assert it.door._crowd.total == 0

    asyncio.run(scenario())
