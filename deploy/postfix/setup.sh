#!/bin/sh
# Puts a judge behind the Postfix of this machine. Changes main.cf by postconf, writes two small tables beside it.
# usage: setup.sh DOMAIN [LMTP]        LMTP: where the judge listens, by default inet:127.0.0.1:2424
# MAIL_CONFIG names another configuration folder than /etc/postfix. Run it again after a change; then: postfix reload
set -eu
[ $# -ge 1 ] || { sed -n 3,4p "$0" >&2; exit 2; }
domain=$1
lmtp=${2:-inet:127.0.0.1:2424}
conf=${MAIL_CONFIG:-/etc/postfix}
get() { postconf -c "$conf" -h "$1"; }
set_to() { postconf -c "$conf" -e "$1=$2"; }
# first_in KEY VALUE: VALUE stands first in the list KEY, once
first_in() {
    old=$(get "$1")
    case ", $old," in
        *", $2,"*) ;;
        *) set_to "$1" "$2${old:+, $old}" ;;
    esac
}

# Mail for the judge's domain is relayed, by LMTP, which has a reply for each recipient.
printf '%s lmtp:%s\n' "$domain" "$lmtp" > "$conf/judge-transport"
first_in relay_domains "$domain"
first_in transport_maps "texthash:$conf/judge-transport"

# The judge is asked at RCPT whether it knows the address: an unknown token is refused in SMTP, and no bounce is ever
# written to somebody whose address was forged. Only for the judge's domain.
printf '%s reject_unverified_recipient\n' "$domain" > "$conf/judge-recipients"
first_in smtpd_recipient_restrictions "check_recipient_access texthash:$conf/judge-recipients"
set_to unverified_recipient_reject_code 550
set_to unverified_recipient_reject_reason 'no such address here'
# Answers are remembered for a moment only, so that a new seat's address works at once. Without the negative ones every
# refusal would stay "not yet known", which is 450.
set_to address_verify_negative_cache yes
set_to address_verify_negative_expire_time 60s
set_to address_verify_negative_refresh_time 30s
set_to address_verify_positive_expire_time 1h
set_to address_verify_positive_refresh_time 60s
set_to address_verify_poll_delay 1s
set_to address_verify_poll_count 5

# No second header may hide behind a bare line end.
set_to smtpd_forbid_bare_newline yes
