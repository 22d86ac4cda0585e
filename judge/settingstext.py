"""The settings file that `judge init` writes: every key, explained. Filled in by :func:`judge.settings.example`."""

EXAMPLE = """\
# Settings of this judge. Every key may be overridden by the environment: JUDGE_DOMAIN, JUDGE_RELAY__PORT, ...

# The part after the @ of every address of the judge; mail for it must reach the door below.
domain = {domain}
# What stands between game and token in a player's reply address (GAME+TOKEN@{plain_domain}).
separator = "+"
# The person who runs this judge: gets what is sent to postmaster@ and abuse@.
# What is stuck is shown by `judge status`. The address must not be at the judge's own domain.
operator = {operator}

# Both lie beside this file. Who has the key can sign reply addresses: keep it out of backups of the database.
database = "judge.db"
key_file = "judge.key"

# The door: SMTP, and LMTP for a Postfix on the same machine.
[listen]
host = {listen_host}
port = {listen_port}
# HOST:PORT, or the path of a socket (with a slash in it); empty: no LMTP.
lmtp = {lmtp}
# PEM files; with a certificate STARTTLS is offered.
certificate = ""
certificate_key = ""
# Mail servers of your own in front of the judge: for them no cap on connections a peer.
relays = ["127.0.0.1", "::1"]

# How it is known that a mail to GAME@{plain_domain} is from whom it names. (Answers go to signed addresses.)
[senders]
# If a mail server of yours in front (see relays above) checks senders: the name at the beginning of the
# Authentication-Results that it writes. It must take out such headers that come from outside. Empty: there is none.
trust_authserv = ""
# Without one: check signatures (DKIM) here, asking DNS for the keys, for at most so many seconds a mail. What is not proved
# is held, and its player is asked.
check_dkim = true
dns_seconds = 4.0

# The mail server that delivers what the judge sends.
[relay]
host = {relay_host}
port = {relay_port}
# "never", "offered" (when the relay can) or "always" (needed for a password).
starttls = "offered"
user = ""
password_file = ""
# Connections at once, and seconds to wait for one answer.
connections = 4
timeout = 60.0

# Caps of the door. Mail programs send pictures back, so a mail may be large; pictures are dropped after reading.
[limits]
mail_bytes = 10000000
recipients = 20
connections = 100
connections_per_peer = 10
commands = 1000
idle_seconds = 300.0
session_seconds = 1800.0

# Games that people make by mail (NEW), and how much mail to others that may cause.
[games]
# ["anyone"] (whose address is confirmed), ["shell"] (nobody by mail), or the addresses of those who may.
create = ["anyone"]
# Games of one person that wait for players at once; invitations that one person may cause a day; invitations that go to one
# address a day, whoever sends them.
forming_per_person = 3
invitations_per_day = 20
invitations_to_one_per_day = 3

# Mails an hour before a sender is asked to try again later; 0: no limit.
[rates]
seat_per_hour = 120
sender_per_hour = 120
game_per_hour = 600
"""
