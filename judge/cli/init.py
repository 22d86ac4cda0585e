"""`judge init`: a folder for a new judge, with commented settings and a fresh key."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from judge import settings


def _place(context: click.Context, parameter: click.Parameter, value: str) -> settings.HostPort:
    try:
        return settings.host_port(value)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@click.option("--domain", required=True, help="The part after the @ of the judge's addresses.")
@click.option("--listen", default="127.0.0.1:2525", show_default=True, callback=_place, help="Where mail comes in.")
@click.option("--relay", default="127.0.0.1:25", show_default=True, callback=_place, help="Who delivers our mail.")
@click.option("--lmtp", default="", help="HOST:PORT or the path of a socket for LMTP besides.")
@click.option("--operator", default="", help="Your own mail address.")
def init(
    directory: Path, domain: str, listen: settings.HostPort, relay: settings.HostPort, lmtp: str, operator: str
) -> None:
    """Make DIRECTORY the home of a new judge: judge.toml (commented) and judge.key (secret).

    \b
    Example:
      judge init /srv/judge --domain judge.example.org --listen 127.0.0.1:2525 --relay 127.0.0.1:25
      judge --home /srv/judge serve
    """
    text = settings.example(domain, listen, relay, operator=operator, lmtp=lmtp)
    settings.write_home(directory, text, secrets.token_bytes(settings.KEY_BYTES))
    click.echo(f"{directory / settings.FILE_NAME}: read it through, then: judge --home {directory} serve")
