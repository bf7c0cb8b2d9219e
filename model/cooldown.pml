/*
 * Pauses after limits: when nobody calls, who tries first afterwards, and what ends a pause.
 *
 * Decisions: begin, finish, restore, look, lift. Each is read and decided in one step and committed in another, as in
 * lease.pml. Two calls may be in flight, of two resources, so that limits overlap. lease.pml and restore.pml have
 * snapshots, pace and ledger. One scope, one key. Time, tokens and `true_` as in lease.pml.
 *
 * Faults, each as often as -D says: LIMITS (429, with a long or a short wait), FAILS, PAUSE, CRASH, LOST (a reply to
 * finish), FLUSH (the control is lost), LIFT (an operator ends the pause).
 */
#ifndef N
#define N 2
#endif
#ifndef CAP
#define CAP 2
#endif
#ifndef CALLS
#define CALLS 4                 /* grants, so that there is an end */
#endif
#ifndef LIMITS
#define LIMITS 1
#endif
#ifndef FAILS
#define FAILS 0
#endif
#ifndef PAUSE
#define PAUSE 0
#endif
#ifndef CRASH
#define CRASH 0
#endif
#ifndef LOST
#define LOST 0
#endif
#ifndef FLUSH
#define FLUSH 0
#endif
#ifndef LIFT
#define LIFT 0
#endif

#define LEASE    3
#define CALL_END 2
#define GRACE    1
#define LONG     2              /* ticks of a wait; doubled by the second strike, up to LONGEST */
#define SHORT    1
#define LONGEST  3
#define RECORDS  4

#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define MIN(a, b) ((a) < (b) -> (a) : (b))
#define DOWN(x) x = ((x) > 0 -> (x) - 1 : 0)

mtype = { IDLE, ASKING, GRANTED, CALLING, FINISHING };
mtype = { NONE, FETCHED, FAILED, LIMITED, UNSENT };
mtype = { FETCH, BUSY, COOLDOWN, LOST_CONTROL, NOTED, WAIT, EXHAUSTED };

typedef Record { byte attempt; byte token; byte resource; byte rest };

typedef Control {
  bit there; byte open_in; byte epoch;
  Record flight[RECORDS];
  bit paused;                   /* a pause is on record, running or ended */
  byte rest; byte token; byte strikes; bit is_told;
  short attempts                /* whose reports it has taken: a bit for each */
};
Control c;

typedef Instance {
  mtype state; byte attempt; byte token; byte resource; byte age; mtype outcome; byte wait;
  bit knows;                    /* the birth of the present life */
  bit is_paused; byte rest; byte strikes; bit untold;   /* the pause as it is remembered; the store wasn't told of it */
  byte floor;                   /* the highest token adopted: here of its own answers */
  bit sees;                     /* it has read the control, and nobody has committed since */
  bit restores;                 /* it testifies before it does anything else */
  bit asleep
};
Instance in[N];
bit lifting, lift_sees;
bit elapsed;                    /* a tick of the grace is over once those who looked in it have testified */

byte drawn, granted;
bit calm;
byte limits = LIMITS, failures = FAILS, pauses = PAUSE, crashes = CRASH, losses = LOST, flushes = FLUSH, lifts = LIFT;

bit true_up[N];
byte true_rest;                 /* what is left of the pause that somebody who is there knows of */
bit true_on;                    /* such a pause is on record: until a success that was begun after it */
byte true_from;                 /* attempts up to this one were begun before it */
byte true_rounds;               /* limits met by calls that no other limit overlapped */
int true_settled;

hidden byte k, j, place, live, oldest, told, before, w; hidden mtype reply;

#define LIVE(x)    (c.flight[x].attempt != 0 && c.flight[x].rest > 0)
#define KNOWN(x, a) (c.flight[x].attempt == (a))
#define RECORDED(a) (KNOWN(0, a) || KNOWN(1, a) || KNOWN(2, a) || KNOWN(3, a))
#define PROBES(x)  (LIVE(x) && c.flight[x].token > c.token)
#define LATER(x)   (LIVE(x) && c.flight[x].attempt > true_from)
#if N == 2
#define ANY(P) (P(0) || P(1))
#define ALL(P) (P(0) && P(1))
#else
#define ANY(P) (P(0) || P(1) || P(2))
#define ALL(P) (P(0) && P(1) && P(2))
#endif
#define ASLEEP(i)  in[i].asleep
#define TELLS(i)   (!in[i].asleep && in[i].restores)
#define LOSES(i)   (!c.there || !in[i].knows)
#define HURRIED(i) (!in[i].asleep && (in[i].state == GRANTED || in[i].state == ASKING || in[i].restores || in[i].state == FINISHING && !(c.there && c.open_in > 0 && in[i].knows) \
                                      || (in[i].state == CALLING && true_up[i] && in[i].age >= CALL_END)))

/* After a loss only what somebody who is there remembers can be kept. */
inline true_witnesses() {
  before = (c.there -> c.rest : 0); told = c.there && c.paused;
  for (j : 0 .. N - 1) {
    if :: !in[j].asleep && in[j].is_paused -> before = MAX(before, in[j].rest); told = 1 :: else fi
  };
  true_rest = MIN(true_rest, before); true_on = true_on && told
}

/* ------------------------------------------------------------------ parts of decisions */

inline find(ATT) {
  place = RECORDS;
  for (k : 0 .. RECORDS - 1) { if :: c.flight[k].attempt == (ATT) && (ATT) != 0 -> place = k :: else fi }
}

inline drop(X) { c.flight[X].attempt = 0; c.flight[X].token = 0; c.flight[X].resource = 0; c.flight[X].rest = 0 }

inline make_room() {
  place = RECORDS; oldest = RECORDS;
  for (k : 0 .. RECORDS - 1) {
    if
    :: c.flight[k].attempt == 0 && place == RECORDS -> place = k
    :: c.flight[k].attempt != 0 && c.flight[k].rest == 0 && (oldest == RECORDS || c.flight[k].token < c.flight[oldest].token) -> oldest = k
    :: else
    fi
  };
  if :: place == RECORDS -> assert(oldest < RECORDS); place = oldest; drop(place) :: else fi
}

/* The shadow: what the store has on record, and what it wasn't told of stays. */
inline remember(I) {
  in[I].knows = 1;
  if
  :: in[I].untold && in[I].rest > 0 ->
     in[I].rest = (c.paused -> MAX(in[I].rest, c.rest) : in[I].rest); in[I].strikes = MAX(in[I].strikes, c.strikes)
  :: else -> in[I].untold = 0; in[I].is_paused = c.paused; in[I].rest = c.rest; in[I].strikes = c.strikes
  fi
}

inline forget(I) {
  in[I].state = IDLE; in[I].attempt = 0; in[I].token = 0; in[I].resource = 0; in[I].age = 0; in[I].outcome = NONE; in[I].wait = 0
}

inline clear() { c.paused = 0; c.rest = 0; c.token = 0; c.strikes = 0; c.is_told = 0; c.attempts = 0 }

/* ------------------------------------------------------------------ decisions */

inline restore(I) {
  printf("%d: restore, %d left of a pause\n", I, in[I].rest);
  if
  :: !c.there -> c.there = 1; c.open_in = GRACE; for (k : 0 .. N - 1) { in[k].knows = 0 }
  :: else
  fi;
  c.epoch = MAX(c.epoch, in[I].floor);
  if :: in[I].untold && in[I].rest > 0 -> true_on = 1; true_from = drawn; true_rest = MAX(true_rest, in[I].rest) :: else fi;
#ifndef NO_TESTIMONY
  before = c.rest;
  if
  :: in[I].is_paused && c.paused ->
     if
     :: in[I].rest > c.rest || in[I].strikes > c.strikes ->
        c.rest = MAX(c.rest, in[I].rest); c.strikes = MAX(c.strikes, in[I].strikes); c.token = c.epoch; c.is_told = 1
     :: else
     fi
  /* One that has ended, told by a memory of this very life, has been cleared since. */
  :: in[I].is_paused && !c.paused && (!in[I].knows || in[I].rest > 0) ->
     c.paused = 1; c.rest = in[I].rest; c.strikes = MAX(1, in[I].strikes); c.token = c.epoch; c.is_told = 1; c.attempts = 0
  :: else
  fi;
  assert(c.rest >= before);
  /* Each witness may know of later tokens. */
  if :: c.open_in > 0 && c.is_told -> c.token = c.epoch :: else fi;
#endif
  if
  :: (in[I].state == GRANTED || in[I].state == CALLING) && in[I].age < LEASE && !RECORDED(in[I].attempt) ->
     make_room(); c.flight[place].attempt = in[I].attempt; c.flight[place].token = in[I].token; c.flight[place].resource = in[I].resource;
     c.flight[place].rest = LEASE - in[I].age
  :: else
  fi;
  if :: in[I].state != FINISHING -> in[I].untold = 0 :: else fi;
  remember(I)
}

/* What begin answers where nothing changes; NONE: there is a grant to commit. */
inline ask(I, RES) {
  reply = NONE; live = 0; told = 0;
  for (k : 0 .. RECORDS - 1) { if :: LIVE(k) -> live++; if :: c.flight[k].resource == RES -> told = 1 :: else fi :: else fi };
  if :: LOSES(I) -> reply = LOST_CONTROL :: else fi;
  if :: reply == NONE && c.open_in > 0 -> reply = WAIT :: else fi;
#ifndef NO_PAUSE
  if :: reply == NONE && c.paused && c.rest > 0 -> reply = COOLDOWN :: else fi;
#endif
#ifndef NO_PROBE
  if :: reply == NONE && c.paused && c.rest == 0 && (PROBES(0) || PROBES(1) || PROBES(2) || PROBES(3)) -> reply = COOLDOWN :: else fi;
#endif
  if :: reply == NONE && (told || live >= CAP) -> reply = BUSY :: else fi;
  if :: reply == NONE && granted >= CALLS -> reply = EXHAUSTED :: else fi
}

inline begin(RES) {
  reply = FETCH; make_room(); granted++; drawn++;
  assert(true_rest == 0);                                               /* P5: nothing is granted while it runs */
  assert(!true_on || !(LATER(0) || LATER(1) || LATER(2) || LATER(3)));  /* P5: one at a time after it */
  c.epoch++;
  c.flight[place].attempt = drawn; c.flight[place].token = c.epoch; c.flight[place].resource = RES; c.flight[place].rest = LEASE
}

inline finish(ATT, TOK, OUT, WAITS) {
  reply = NOTED;
  find(ATT);
  if :: place < RECORDS -> drop(place) :: else fi;
  if
#ifdef NO_CLEAR_LATER
  :: OUT == FETCHED && c.paused -> clear()
#else
  :: OUT == FETCHED && c.paused && c.rest == 0 && c.token < TOK -> clear()
#endif
  :: OUT == LIMITED &&
#ifdef NO_ONE_REPORT
     true ->
#else
     !(c.attempts & (1 << (ATT))) ->
#endif
     before = c.rest;
#ifdef NO_STRIKE_TOKEN
     told = 1;
#else
     told = !c.paused || TOK > c.token;                              /* overlapping calls are one strike */
#endif
     c.strikes = c.strikes + told; c.paused = 1;
     w = MIN((c.strikes > 1 -> 2 * WAITS : WAITS), LONGEST);
#ifdef NO_EXTEND_ONLY
     c.rest = w;
#else
     c.rest = MAX(c.rest, w);
#endif
     c.token = c.epoch; c.attempts = c.attempts | (1 << (ATT)); c.is_told = 0;
     assert(c.rest >= before);                                       /* P5: only grows */
     assert(FLUSH > 0 || !(true_settled & (1 << (ATT))));            /* one report, one pause */
     true_settled = true_settled | (1 << (ATT));
     if :: (ATT) > true_from || !true_on -> true_rounds++ :: else fi;
     true_on = 1; true_from = drawn; true_rest = MAX(true_rest, c.rest);
     assert(FLUSH + LOST > 0 || c.strikes <= true_rounds)            /* one strike for all that overlap */
  :: else
  fi;
  /* The judge's own idea of what ends a pause. */
  if :: OUT == FETCHED && true_on && true_rest == 0 && (ATT) > true_from -> true_on = 0; true_rounds = 0 :: else fi;
#if FLUSH == 0 || defined(STRICT)
  assert(!true_on || c.paused)                                       /* P5: nothing else ends it */
#else
  /* After a loss tokens that nobody has adopted are forgotten: a call begun before may clear a pause that has ended. */
  if :: true_on && !c.paused -> true_on = 0; true_rounds = 0 :: else fi
#endif
}

/* Writes nothing. An instance that knows more than the control testifies. */
inline look(I) {
  if
  :: LOSES(I) || (in[I].untold && in[I].rest > 0 && in[I].state == IDLE) -> in[I].restores = 1; in[I].sees = 1
  :: else -> remember(I)
  fi
}

inline lift() {
  clear();
  true_on = 0; true_rest = 0; true_rounds = 0
}

/* A commit is done, or the control is another one: what others have read is the present control no more. */
inline committed() { for (k : 0 .. N - 1) { in[k].sees = 0 }; lift_sees = 0 }

/* ------------------------------------------------------------------ instances */

#define MAY_FINISH(i) (in[i].state == FINISHING && !in[i].asleep && !in[i].restores && in[i].sees)

proctype Instance_(byte i) {
  byte res;
end:
  do
  :: d_step { in[i].restores && !in[i].asleep && !in[i].sees -> in[i].sees = 1 }
  :: d_step { in[i].restores && !in[i].asleep && in[i].sees -> restore(i); in[i].restores = 0; committed(); k = 0 }

  :: atomic { in[i].state == IDLE && !in[i].asleep && !in[i].restores ->
       if :: res = 0 :: res = 1 fi;
       d_step { ask(i, res);
         if
         :: reply == LOST_CONTROL -> in[i].restores = 1; in[i].sees = 1
         :: reply == NONE -> in[i].state = ASKING; in[i].resource = res; in[i].sees = 1
         :: else -> remember(i)
         fi; res = 0 } }
  :: d_step { in[i].state == ASKING && !in[i].asleep && in[i].sees ->
       begin(in[i].resource); printf("%d: begin of %d: %e\n", i, in[i].resource, reply);
       in[i].state = GRANTED; in[i].attempt = drawn; in[i].token = c.epoch; in[i].age = 0; remember(i); committed(); k = 0 }
  /* ... others were faster: read and decided again, or given up */
  :: d_step { in[i].state == ASKING && !in[i].asleep && !in[i].sees -> forget(i) }
  /* An event tells of a pause that somebody has met, or is late. */
  :: d_step { in[i].state == GRANTED && !in[i].asleep && !LOSES(i) && c.rest > 0 && in[i].rest < c.rest -> remember(i); printf("%d: hears of a pause\n", i) }
  :: d_step { in[i].state == GRANTED && !in[i].asleep ->
       if
#ifndef NO_OWN_MEMORY
       :: in[i].age > 0 || (in[i].is_paused && in[i].rest > 0) -> in[i].state = FINISHING; in[i].outcome = UNSENT
#else
       :: in[i].age > 0 -> in[i].state = FINISHING; in[i].outcome = UNSENT
#endif
       :: else ->
          in[i].state = CALLING; true_up[i] = 1; printf("%d: calls under token %d\n", i, in[i].token);
          assert(!in[i].is_paused || in[i].rest == 0)                   /* P5: nobody calls who knows of it */
       fi }
  :: atomic { in[i].state == CALLING && true_up[i] ->
       if
       :: in[i].outcome = FETCHED
       :: failures > 0 -> failures--; in[i].outcome = FAILED
       :: limits > 0 -> limits--; in[i].outcome = LIMITED; in[i].wait = LONG
       :: limits > 0 -> limits--; in[i].outcome = LIMITED; in[i].wait = SHORT
       fi;
       true_up[i] = 0; printf("%d: upstream: %e, %d\n", i, in[i].outcome, in[i].wait) }
  /* The pause is remembered before anybody is told. */
  :: d_step { in[i].state == CALLING && !in[i].asleep && !true_up[i] ->
       in[i].state = FINISHING;
       if
       :: in[i].outcome == LIMITED ->
          in[i].rest = MAX(in[i].rest, in[i].wait); in[i].is_paused = 1; in[i].strikes = MIN(in[i].strikes + 1, 2); in[i].untold = 1
       :: else
       fi }
  :: d_step { in[i].state == CALLING && !in[i].asleep && true_up[i] && in[i].age >= CALL_END ->
       true_up[i] = 0; in[i].outcome = FAILED; in[i].state = FINISHING }
  :: d_step { in[i].state == FINISHING && !in[i].asleep && !in[i].restores && !in[i].sees && !(c.there && in[i].knows && c.open_in > 0) ->
       in[i].sees = 1; in[i].restores = LOSES(i) }
  :: d_step { MAY_FINISH(i) ->
       finish(in[i].attempt, in[i].token, in[i].outcome, in[i].wait); printf("%d: finish of token %d, %e: %e\n", i, in[i].token, in[i].outcome, reply);
       if :: FLUSH > 0 && in[i].outcome == FETCHED -> in[i].floor = MAX(in[i].floor, in[i].token) :: else fi;
       in[i].untold = 0; forget(i); remember(i); committed(); k = 0 }
  :: d_step { MAY_FINISH(i) && losses > 0 ->
       losses--; finish(in[i].attempt, in[i].token, in[i].outcome, in[i].wait); printf("%d: finish of token %d, %e: its reply is lost\n", i, in[i].token, in[i].outcome);
       committed(); k = 0 }
  :: d_step { in[i].state == FINISHING && !in[i].asleep && losses > 0 ->
       losses--; printf("%d: can't tell of token %d, %e\n", i, in[i].token, in[i].outcome); forget(i); in[i].sees = 0 }

  :: d_step { !in[i].asleep && crashes > 0 ->
       crashes--; printf("%d: is killed\n", i); true_up[i] = 0; forget(i);
       in[i].sees = 0; in[i].restores = 0; in[i].knows = 0; in[i].is_paused = 0; in[i].rest = 0; in[i].strikes = 0; in[i].untold = 0; in[i].floor = 0;
       true_witnesses(); k = 0 }
  :: d_step { !in[i].asleep && pauses > 0 -> pauses--; in[i].asleep = 1; printf("%d: falls asleep\n", i); true_witnesses(); k = 0 }
  :: d_step { in[i].asleep -> in[i].asleep = 0; printf("%d: wakes up\n", i) }
  od
}

proctype World() {
end:
  do
  :: d_step { !ANY(HURRIED) && !elapsed ->
       printf("a tick; all who are awake look\n");
       for (k : 0 .. RECORDS - 1) { DOWN(c.flight[k].rest) };
#ifndef NO_PAUSE_END
       DOWN(c.rest); DOWN(true_rest);
#endif
       for (k : 0 .. N - 1) {
         DOWN(in[k].rest);
         in[k].sees = 0;                                                /* whatever was read before is too old to be committed */
         if :: in[k].state != IDLE && in[k].age < LEASE -> in[k].age++ :: else fi
       };
       lifting = 0; lift_sees = 0; elapsed = c.there && c.open_in > 0;
       if :: !in[0].asleep -> look(0) :: else fi;
       if :: !in[1].asleep -> look(1) :: else fi;
#if N > 2
       if :: !in[2].asleep -> look(2) :: else fi;
#endif
       k = 0 }
  :: d_step { elapsed && !ANY(TELLS) -> elapsed = 0; c.open_in-- }
  :: d_step { flushes > 0 && c.there ->
       flushes--; printf("the control is lost\n");
       c.there = 0; c.open_in = 0; c.epoch = 0; clear();
       for (k : 0 .. RECORDS - 1) { drop(k) };
       elapsed = 0; committed(); true_witnesses(); k = 0 }
  :: d_step { lifts > 0 && c.there && c.paused -> lifts--; lifting = 1; lift_sees = 1 }
  :: d_step { lifting && !lift_sees -> lift_sees = c.there && c.paused; lifting = lift_sees }
  :: d_step { lifting && lift_sees -> printf("an operator lifts the pause\n"); lift(); lifting = 0; committed(); k = 0 }
#ifdef RECOVERY
  :: d_step { !calm && !ANY(ASLEEP) -> calm = 1; limits = 0; failures = 0; pauses = 0; crashes = 0; losses = 0; flushes = 0; lifts = 0 }
#endif
  od
}

init {
  d_step {
    c.there = 1;
    for (k : 0 .. N - 1) { in[k].state = IDLE; in[k].outcome = NONE; in[k].knows = 1 };
    k = 0
  };
  atomic {
    run Instance_(0); run Instance_(1);
#if N > 2
    run Instance_(2);
#endif
    run World()
  }
}

#ifdef RECOVERY
/* P5: a pause ends; with no more limits one call clears it, unless no call is left. */
ltl recovery { [] (calm -> <> ((c.there && !c.paused) || granted >= CALLS)) }
#endif
