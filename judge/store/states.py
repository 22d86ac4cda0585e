"""The legal states of everything that waits.

A row changes its state only along these edges, each edge being one committed transaction. A crash between any two
leaves the row in the state of the last commit, and the loops start from there.

A mail that came in (``inbox.state``)::

    (no row)  --door: raw bytes and row committed, then 250 is said-->  waiting
    waiting   --play.intake: orders, receipt, row, one commit------->  handled    (outcome says what it was)
    waiting   --play.intake raised; attempts + 1------------------->  waiting    (not again before retry_at)
    waiting   --third failure------------------------------------->  set-aside  (the bytes are kept; player and operator
                                                                                  are told)
    The same mail again (same recipient, Message-ID, content): no new row, ``copies`` + 1, 250.

A game (``games.state``)::

    (no row)  --play.setup: game and seats, one commit------------------------->  forming
    forming   --play.setup: powers given out, first phase, start mails, one commit-->  running
    running   --play.turn: the last result, one commit------------------------>  ended
    ended     --play.rollback: back to a phase that was played, one commit----->  running
    A running game may be paused (``paused_at``): its open phase has no deadline then, and is not due, until somebody
    resumes it or ``paused_until`` comes.

A seat (``seats.role``) is a power's or the game master's: both have a signed reply address, and only a power's has
units. A seat changes hands by a new ``generation``, and a player gets a new address by one: the addresses of the one before
are refused from then on.

What became of a seat (``seat_changes.kind``; each row is final)::

    played    --RESIGN----------------------------------------->  resigned
    played    --the master's EJECT----------------------------->  ejected
    played    --the master's REPLACE POWER--------------------->  opened
    played    --the master's REPLACE POWER ADDRESS------------->  replaced, and taken
    open      --JOIN, or the master's REPLACE POWER ADDRESS---->  taken      (``put_off``: with a later deadline)

Who stands ready to take a power over (``standbys``) has a row, for one game or for any::

    (no row)  --STANDBY---------------------------------------->  stands ready
    stands ready  --STANDBY OFF, FORGET, or an offer that lapsed-->  (no row)

A power without a player that is offered to one of them (``offers.state``; its question is a row of ``asks``)::

    (no row)  --its player leaves, a phase opens, somebody begins to stand ready, the offer before it was not taken;
                row, question, mail and log, one commit-->  open
    open      --YES: the power is taken over in the same commit (or JOIN by the same person)-->  accepted
    open      --NO--------------------------------------------->  declined
    open      --its time is up; who was asked does not stand ready any more-->  lapsed
    open      --somebody else has the power, or nobody can have it any more-->  gone

Who is invited into a game that somebody makes by mail (``invitations.state``; its question is a row of ``asks``; ``makers``
has who made the game, and ``uninvited`` the keyed digests of mailboxes that want no invitation: both are final)::

    (no row)  --NEW, INVITE: row, question and mail, one commit-->  open
    open      --YES, powers, JOIN: a wish in the same commit---->  accepted
    open      --NO, NO MORE, FORGET----------------------------->  declined
    open      --two weeks are over; no mail reaches them-------->  lapsed
    declined, lapsed  --they come into the game after all------->  accepted

When somebody is away (``absences.state``; what was put off for it stands in ``absence_moves``)::

    (no row)  --ABSENCE----------------------------------------->  told
    told      --ABSENCE OFF------------------------------------->  taken-back  (deadlines stay as they are)

Who owed orders for a phase (``duties``)::

    (no row)  --play.turn: the phase runs----------------------->  (final; a mailbox may get another name)

A phase (``phases.state``)::

    (no row)  --game starts, or the phase before it is processed-->  open
    open      --play.turn: result, next phase, outbox lines, one commit-->  processed
    open      --play.concluding: the players or the master end the game, end mails, one commit-->  processed    (called_off:
                                                                          nothing ran, the position stays as it was)
    open      --play.absence: deadline and run_at later, notices, one commit-->  open       (postponed + 1)
    open      --play.turn raised, or waits for a mail that came in time-->  open       (not again before retry_at)
    open      --play.extending, play.pausing: deadline and run_at set or taken away, notices, one commit-->  open
    open      --play.hurrying: the master's PROCESS; hurried_at-->  open       (due at once)
    open, processed  --play.rollback, play.accepting: the game goes back to a phase before, which opens anew (attempt + 1)
                       with its orders, one commit-->  processed, undone_at   (kept, and counted nowhere; one that was open
                                                                                has no result)
    It is due at ``run_at`` (the deadline, or earlier when all orders are in), but never before ``retry_at``. Processing
    requires state = open inside the same BEGIN IMMEDIATE, so two servers on one database process a phase once.

Orders (``orders.state``)::

    (no row)  --a mail's order, or an answer's----------------->  held
    (no row)  --its phase opens anew (play.rollback)----------->  held       (a copy)
    (no row)  --orders that are late are taken (play.accepting)->  held       (a copy; the late one stays)
    held      --a correction of the position makes it illegal-->  cleared
    held      --a later order for the same slot, or a later mail's builds, where all would be too many-->  replaced
    held      --CLEAR------------------------------------------>  cleared
    held      --a later mail with orders, but not this one (``orders.sets = replace``)-->  cleared
    held      --a later mail whose orders for its slot cancel each other out-->  cleared
    held      --its unit is taken out of the hands of who gave it (``PROXY OFF``, CLEAR, or to somebody else)-->  cleared
    replaced  --CLEAR, where it had cancelled out and its slot has none on file-->  cleared
    (no row)  --an order that came too late for its phase------>  late

    Where two mails in unknown order cancel out (``orders.undated``), both orders are ``replaced``, by nothing.

A unit in another power's hands (``proxies.state``)::

    (no row)  --the owner's PROXY----------------------------->  handed
    handed    --PROXY OFF, CLEAR, or to somebody else--------->  taken-back   (since ``back_at``; the other's order: cleared)

A question that a receipt asked (``questions.state``)::

    (no row)  --with the receipt that asks it---------------->  asked
    asked     --a number of its choices comes---------------->  answered   (``answered``: the choice, from 0)
    asked     --CLEAR, or a later mail that settles it------->  dropped

A mail that goes out (``outbox.state``)::

    (no row)  --the event's own transaction--------------->  new        (event and arguments; nothing rendered)
    new       --play.writing: rendered, bytes frozen------>  ready
    new       --rendering failed; attempts + 1------------>  new        (the third time: parked)
    ready     --relay said 250, then committed------------>  sent       (final)
    ready     --4xx, time-out, no connection-------------->  ready      (next_attempt later, attempts + 1)
    ready     --5xx, or too many days--------------------->  parked     (a person looks)
    parked    --a person asks for another try------------->  ready, or new if it never was rendered
    A crash between the relay's 250 and our commit delivers the same bytes with the same Message-ID again: the only way in
    which anything goes out twice.

A commitment (``commitments``; the hash of what is on file when a receipt is written)::

    (no row)  --the receipt's own transaction------------->  (final)

What is final is sealed (``seals``: a hash of a row, or of rows that belong together, in a chain a game)::

    (no row)  --a seat's mail handled, a phase processed, a mail of ours frozen, a line of the log, the end-->  sealed
    sealed    --whoever changes it after all---------------->  sealed again  (the last seal counts)

A change of the house rules (``rule_changes.state``)::

    (no row)  --play.rulings: row, log and notices, one commit-->  pending
    pending   --the phase that it waits for opens------------->  in-force   (that phase and all later ones keep the rules)
    pending   --another change of the same key, or the end---->  dropped
    in-force  --the game goes back to before its phase-------->  pending

Lines for a phase that is not open yet (``later_orders.state``)::

    (no row)  --a mail with lines under the heading of a later phase-->  kept
    kept      --the phase opens: its good orders are held, the result tells of the others-->  read
    kept      --the phase is passed over, owes nothing, or the game ends; the result says so-->  not-needed
    kept      --CLEAR LATER, CLEAR F1903M; a list: CLEAR BUILDS and its like, or a newer one of the same unit-->  cleared
    read, not-needed  --the game goes back to before its phase-->  kept

A vote for a draw, or a concession (``votes.state``); it counts while its phase is open::

    (no row)  --DRAW, CONCEDE----------------------------------->  standing
    standing  --the same power's next vote of that kind--------->  replaced
    standing  --NO DRAW, NO CONCEDE----------------------------->  taken-back
    standing  --all that it needs are there: the game ends, in the same commit-->  carried
    standing  --the seat changes hands-------------------------->  lapsed

A motion of the players, where no master decides (``motions.state``)::

    (no row)  --EXTEND, PAUSE, RESUME, REPLACE by a player; word to all, one commit-->  open
    open      --the ballot that makes it more than half, or its time is up with more for it than against-->  passed
                                                    (what it wants is done in the same commit)
    open      --more than half are against it, or too few for it when its time is up-->  failed
    open      --it has the ballots, but cannot be done any more-->  not-done
    open      --its phase is over------------------------------->  dropped

A ballot on a motion (``ballots.state``)::

    (no row)  --AYE, NAY, or the motion itself------------------>  counted
    counted   --the same power's next one----------------------->  replaced
    counted   --the seat changes hands-------------------------->  lapsed

Press (``press.state``)::

    (no row)  --a mail's press, with the mails to its recipients, one commit-->  passed-on
    (no row)  --a mail's press that the house rules or its form forbid--------->  refused    (``why``; the text is kept)

A correction of a phase's position (``corrections``; no state: a fact of the phase, which verifying takes in)::

    (no row)  --play.correcting: position corrected, orders that it makes illegal cleared, mails, one commit-->  made

A mail that did not reach a seat (``failed_mails.state``; only what the seat's signed envelope address or our relay told)::

    (no row)  --play.reaching: a bounce, or a refusal by the relay; word to the master, one commit-->  counted
    counted   --a mail of the seat's player comes------------->  over
    over      --the master's STATUS says so------------------->  told

A mail of which it is not certain that a seat's player wrote it (``held_mails.state``; its inbox row is ``handled``, with the
outcome ``held``)::

    (no row)  --play.confirming: row, and the question to the registered address if none went within a day-->  held
    held      --the player's YES: all that the mail says is done, in the same commit-------->  confirmed
    held      --the player's NO, or another seat's YES to the same mail--------------------->  dropped
    A mail to ``GAME@`` that is proved or confirmed becomes its seat's (``inbox.kind``, ``inbox.power``).

A person, with an address of their own outside of any game (``persons.state``)::

    (no row)  --play.callers: a first mail that asks for something; the question goes out, one commit-->  asked
    asked     --YES from the signed address--------------------->  confirmed
    asked     --7 days without one (play.upkeep)---------------->  (no row)
    (no row)  --a player's mail to a seat asks for something that is the person's-->  confirmed
    confirmed --FORGET, or the operator's word------------------>  forgotten    (a pseudonym takes the address's place)

A wish to be forgotten (``forgettings.state``)::

    (no row)  --FORGET, and YES to the question----------------->  wished
    wished    --play.forgetting, when nothing is on its way to them any more, or after a day: everything redacted and sealed
                again, a line in each game's log, one commit---->  done
    wished    --they have a seat in a game again---------------->  dropped

What waits for somebody who wants it later (``kept_mails.state``; what they want stands in ``mail_choices``)::

    (no row)  --press, or news that ask for nothing, instead of a mail-->  kept
    kept      --the next result, the day's mail (play.digests), MAIL, MAIL ALL, or the seat is given up or taken away: in
                that mail, one commit--------------------------->  told
    kept, told  --FORGET---------------------------------------->  (no row)

What was asked in a person's name by a mail that proved nothing (``asks.state``)::

    (no row)  --play.callers, with the question--------------->  asked
    asked     --YES from the signed address; what was asked is done in the same commit-->  done
    asked     --NO------------------------------------------->  dropped
    asked, done, dropped  --7 days (play.upkeep)-------------->  (no row)

No row of games, seats, phases, orders, questions or press is ever deleted, and no mail to or for a seat. Strangers' mail and
our answers go after 7 days, the operator's after 90 (:mod:`judge.play.upkeep`); so does, when its phase is over, a held mail
to ``GAME@`` that nobody confirmed. Ids of mails are never given again (AUTOINCREMENT).
No stored byte holds a live token: raw mail is masked before it is kept, outgoing bytes are frozen with a placeholder.
"""
