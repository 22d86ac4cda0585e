"""`judge serve`: the judge at work in the foreground, until it is told to stop."""

from __future__ import annotations

import os
import random
import sys
from typing import TYPE_CHECKING

import click
import msgspec

from judge import settings
from judge.cli.opening import home_of

if TYPE_CHECKING:
    from judge.server.service import Service


@click.command()
@click.option("--lmtp", default=None, help="HOST:PORT or the path of a socket for LMTP besides SMTP.")
@click.option("--quiet", is_flag=True, help="Log faults alone.")
@click.pass_context
def serve(context: click.Context, lmtp: str | None, quiet: bool) -> None:
    """Take mail in, keep the deadlines, send results; until SIGTERM or Ctrl-C, which lose nothing.

    Logs go to standard error, a JSON object a line; no address, token or text of a mail is in them.

    \b
    Example:
      judge --home /srv/judge serve --lmtp /run/judge/lmtp
    """
    # asyncio and the mail libraries are loaded here, so that the other commands start quickly
    import logging

    from judge.server import logs, service
    from judge.server.clock import SystemClock

    chosen = settings.load(home_of(context), os.environ)
    if lmtp is not None:
        try:
            settings.listen_place(lmtp, chosen.home)
        except ValueError as error:
            raise click.BadParameter(str(error), context, param_hint="--lmtp") from None
        chosen = msgspec.structs.replace(chosen, listen=msgspec.structs.replace(chosen.listen, lmtp=lmtp))
    logs.to_stream(sys.stderr, logging.ERROR if quiet else logging.INFO)

    def ready(running: Service) -> None:
        places = f"SMTP on {chosen.listen.host}:{running.smtp_port}"
        if chosen.lmtp is not None:
            places += f", LMTP on {chosen.listen.lmtp}"
        click.echo(f"serving {chosen.domain}: {places}")

    service.run(
        chosen,
        settings.load_key(chosen),
        clock=SystemClock(),
        random=random.SystemRandom().random,
        password=settings.load_password(chosen),
        ready=ready,
    )
