/*
 * Who may call, how often, and whose answer counts: a control that isn't lost.
 *
 * Decisions: begin, finish, restore (of snapshots), look, purge, amend. An instance reads the control in one step, decides,
 * and commits in another step. A commit applies only to the version that was read; `sees` says that nobody has committed
 * since. Nobody commits later than the tick of the read. Where a decision changes nothing there is no commit.
 * restore.pml has what a loss of the control does, cooldown.pml the pauses after limits.
 *
 * Time passes in ticks, for all clocks at once. It waits for what an instance that isn't paused does at once or at a limit
 * of its own. Tokens don't depend on a clock: the server's may stand still. An attempt's number is its place among all that
 * were drawn; one that was refused leaves no trace in the control, so its number is given out again.
 *
 * Faults, each as often as -D says: CRASH, PAUSE (anywhere, for any time), LOST (a reply to a commit), LATE (a commit that
 * was given up is executed later), FAILS (a failed call), OLDER (an older copy in upstream's answer), STOP (SIGTERM in
 * mid-call), EVENTS (a snapshot that was read is adopted later). Operators' acts: AMEND, PURGE.
 *
 * Variables named `true_...` are the books that the promises are judged by. No decision reads them.
 */
#ifndef N
#define N 2                     /* instances */
#endif
#ifndef R
#define R 1                     /* resources */
#endif
#ifndef CAP
#define CAP 1                   /* calls in flight, of the whole fleet */
#endif
#ifndef PLAN
#define PLAN 3                  /* calls a month */
#endif
#ifndef CRASH
#define CRASH 0
#endif
#ifndef PAUSE
#define PAUSE 0
#endif
#ifndef LOST
#define LOST 0
#endif
#ifndef LATE
#define LATE 0
#endif
#ifndef FAILS
#define FAILS 0
#endif
#ifndef OLDER
#define OLDER 0
#endif
#ifndef STOP
#define STOP 0
#endif
#ifndef EVENTS
#define EVENTS 0
#endif
#ifndef AMEND
#define AMEND 0
#endif
#ifndef PURGE
#define PURGE 0
#endif

/* Ticks. As in the product: a call starts at an age of SLACK at most and has ended at CALL_END, before its lease. */
#define LEASE    4
#define SLACK    1
#define CALL_END 2
#define INTERVAL 5
#define BACK_OFF 1
#define RECORDS  4              /* kept at most; of those that have ended the oldest is dropped first */
#define NEWEST   2              /* the newest data time that upstream reaches */

/* Whether the snapshot (t, d) may replace (t0, d0): SnapshotOrder.beats. Token 0 is none. */
#if defined(NO_FENCE)
#define BEATS(t, d, t0, d0) ((t0) == 0 || ((t) != (t0) && (d) >= (d0)))
#elif defined(NO_DATA_ORDER)
#define BEATS(t, d, t0, d0) ((t0) == 0 || (t) > (t0))
#else
#define BEATS(t, d, t0, d0) ((t0) == 0 || ((t) > (t0) && (d) >= (d0)))
#endif
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define DOWN(x) x = ((x) > 0 -> (x) - 1 : 0)

mtype = { IDLE, ASKING, UNKNOWN, GRANTED, SENDING, CALLING, FINISHING };
mtype = { NONE, FETCHED, FAILED, CUT_OFF, OLD, UNSENT, HANDED_OVER };
mtype = { FETCH, NEWER, BUSY, SLOTS_TAKEN, PACED, EXHAUSTED, STORED, FENCED, OLDER_DATA, NOTED, CHANGED, OVERTAKEN };
mtype = { RESTORING, AMENDING, PURGING };

typedef Record { byte attempt; byte token; byte resource; byte rest; bit settled };

typedef Control {
  byte epoch; byte counted; byte purged;
  Record flight[RECORDS];
  byte next_in[R];              /* ticks until the resource may be fetched */
  byte token[R];                /* newest drawn for it */
  byte failed[R];               /* newest whose failure has counted */
  byte stored[R]; byte data[R]; /* the snapshot: token and data time */
  short archive                 /* a bit for each token whose body is kept */
};
Control c;
#ifdef NO_VERSION
Control seen[N + 1];            /* what each of them has read; the last one for what is asked beside a call */
#endif

typedef Instance {
  mtype state; byte attempt; byte token; byte resource; byte age;
  mtype outcome; byte result;
  byte held[R]; byte held_data[R];
  byte known_epoch;             /* as last told */
  bit sees;                     /* it has read the control, and nobody has committed since */
  bit paused; bit asked; bit stopping;
  byte read_token; byte read_data /* EVENTS: read and not yet adopted; of resource 0 */
};
Instance in[N];

byte upstream_data = 1;
byte drawn;                     /* attempts so far */
bit calm;                       /* no more faults */
byte crashes = CRASH, pauses = PAUSE, losses = LOST, delays = LATE, failures = FAILS, olds = OLDER, stops = STOP,
     reads = EVENTS, amends = AMEND, purges = PURGE;

/* What is asked beside a call: a purge, an amendment, or a snapshot brought back. One at a time. */
mtype side = NONE; byte side_by; byte side_resource; byte side_token; bit side_sees;

/* A commit on its way, given up by its sender. */
mtype late_kind = NONE; bit late_sees; byte late_by; byte late_attempt; byte late_token; byte late_resource; mtype late_outcome = NONE; byte late_data;

byte true_calls;
byte true_since[R];             /* ticks since the resource's last call left; INTERVAL: long ago */
byte true_excuses[R];           /* failed calls and lost leases that have not yet been followed by a call too early */
int true_settled;               /* a bit for each reservation, by its token */
byte true_up[N];                /* upstream is at work for it: ticks at most, 255 until it answers */
bit true_due[N];                /* its clock allowed the call that it is about to make */
bit true_slept[N];              /* its lease ended while it was paused in mid-call, or between its clock and the first byte */
byte true_bar[R];               /* tokens up to this one must not write: an operator's word came after them */
byte true_goal;                 /* P6: a snapshot above this token has to come */

hidden byte k, j, place, live, oldest, taken, lapsed, repeated, was_settled, told, number; hidden mtype reply;

#define LIVE(x)      (c.flight[x].attempt != 0 && c.flight[x].rest > 0)
#define HAS(x, a)    (c.flight[x].attempt == (a) && c.flight[x].rest > 0)
#define HOLDS(a)     (HAS(0, a) || HAS(1, a) || HAS(2, a) || HAS(3, a))
#define AT_WORK(i)   (true_up[i] > 0 && !true_slept[i])
#if N == 2
#define ANY(P) (P(0) || P(1))
#define ALL(P) (P(0) && P(1))
#define SUM(P) (P(0) + P(1))
#else
#define ANY(P) (P(0) || P(1) || P(2))
#define ALL(P) (P(0) && P(1) && P(2))
#define SUM(P) (P(0) + P(1) + P(2))
#endif

/* What an instance that is awake does before time goes on. */
#ifdef NO_CALL_END
#define AT_CALL_END(i) false
#else
#define AT_CALL_END(i) (in[i].state == CALLING && true_up[i] > 0 && in[i].age >= CALL_END)
#endif
#define HURRIED(i) (!in[i].paused && (in[i].state == ASKING || side != NONE && side_by == i || in[i].state == GRANTED || in[i].state == SENDING || AT_CALL_END(i) \
                                      || (calm && (in[i].state != IDLE && in[i].state != CALLING || in[i].state == IDLE && !in[i].asked))))
#define PAUSED(i)  in[i].paused
#define FRESH(i)   (in[i].held[0] > true_goal)

/* ------------------------------------------------------------------ parts of decisions */

#define LAPSED(x, r) (c.flight[x].attempt != 0 && c.flight[x].resource == (r) && !c.flight[x].settled && c.flight[x].rest == 0)

inline find(ATT) {
  place = RECORDS;
  for (k : 0 .. RECORDS - 1) { if :: c.flight[k].attempt == (ATT) && (ATT) != 0 && !c.flight[k].settled -> place = k :: else fi }
}

inline drop(X) {
  c.flight[X].attempt = 0; c.flight[X].token = 0; c.flight[X].resource = 0; c.flight[X].rest = 0; c.flight[X].settled = 0
}

/* Room for a record: an empty place, a settled one that has ended, or the oldest that has ended. */
inline make_room() {
  place = RECORDS; oldest = RECORDS;
  for (k : 0 .. RECORDS - 1) {
    if :: c.flight[k].settled && c.flight[k].rest == 0 -> drop(k) :: else fi;
    if
    :: c.flight[k].attempt == 0 && place == RECORDS -> place = k
    :: c.flight[k].attempt != 0 && c.flight[k].rest == 0 && (oldest == RECORDS || c.flight[k].token < c.flight[oldest].token) -> oldest = k
    :: else
    fi
  };
  if :: place == RECORDS -> assert(oldest < RECORDS); place = oldest; drop(place) :: else fi
}

#define COUNTS(RES, TOK) ((TOK) >= c.token[RES] && (TOK) > c.failed[RES])

inline note_failure(RES, TOK) {
  if
  :: COUNTS(RES, TOK) ->
     c.token[RES] = TOK; c.failed[RES] = TOK; c.next_in[RES] = BACK_OFF;
     if :: true_excuses[RES] < PLAN -> true_excuses[RES]++ :: else fi
  :: else
  fi
}

/* Writes a snapshot, and keeps its body, in the same commit. */
inline keep(RES, TOK, DAT) {
  assert(TOK > c.stored[RES]);                                            /* fence */
  assert(DAT >= c.data[RES]);                                             /* P4 in the store */
  assert(TOK > true_bar[RES]);                                            /* nothing asked for before an operator's word */
  c.stored[RES] = TOK; c.data[RES] = DAT;
#ifndef NO_ARCHIVE_WITH_SNAPSHOT
  c.archive = c.archive | (1 << TOK)
#endif
}

inline adopt(I, RES, TOK, DAT) {
  if
#ifdef NO_ORDER_IN_MEMORY
  :: TOK > c.purged ->
#else
  :: TOK > c.purged && BEATS(TOK, DAT, in[I].held[RES], in[I].held_data[RES]) ->
#endif
     assert(DAT >= in[I].held_data[RES]);                                 /* P4 in a memory */
     in[I].held[RES] = TOK; in[I].held_data[RES] = DAT
  :: else
  fi
}

/* Each answer tells the epoch, and what an operator has dropped. */
inline hear(I) {
  in[I].known_epoch = c.epoch;
  for (k : 0 .. R - 1) {
    if :: in[I].held[k] <= c.purged -> in[I].held[k] = 0; in[I].held_data[k] = 0 :: else fi
  };
  if :: in[I].read_token <= c.purged -> in[I].read_token = 0; in[I].read_data = 0 :: else fi
}

inline forget(I) {
  in[I].state = IDLE; in[I].attempt = 0; in[I].token = 0; in[I].resource = 0; in[I].age = 0; in[I].outcome = NONE; in[I].result = 0
}

/* ------------------------------------------------------------------ the store's two steps */

/* A commit is done: the version goes up, and what others have read is the present control no more. */
inline committed() {
#ifndef NO_VERSION
  for (k : 0 .. N - 1) { in[k].sees = 0 };
  side_sees = 0; late_sees = 0;
#endif
  k = 0
}

#ifdef NO_VERSION
inline copy(TO, FROM) {
  TO.epoch = FROM.epoch; TO.counted = FROM.counted; TO.purged = FROM.purged; TO.archive = FROM.archive;
  for (k : 0 .. RECORDS - 1) {
    TO.flight[k].attempt = FROM.flight[k].attempt; TO.flight[k].token = FROM.flight[k].token; TO.flight[k].resource = FROM.flight[k].resource;
    TO.flight[k].rest = FROM.flight[k].rest; TO.flight[k].settled = FROM.flight[k].settled
  };
  for (k : 0 .. R - 1) {
    TO.next_in[k] = FROM.next_in[k]; TO.token[k] = FROM.token[k]; TO.failed[k] = FROM.failed[k]; TO.stored[k] = FROM.stored[k]; TO.data[k] = FROM.data[k]
  }
}
#endif

/* Without VERSION a commit writes over whatever has come since the read. */
inline recite(X) {
#ifdef NO_VERSION
  copy(seen[X], c);
#endif
  skip
}

inline recall(X) {
#ifdef NO_VERSION
  copy(c, seen[X]);
#endif
  skip
}

/* ------------------------------------------------------------------ decisions */

inline pace(RES) {
#ifndef NO_INTERVAL
  if :: reply == NONE && c.next_in[RES] > 0 -> reply = PACED :: else fi;
#endif
#ifndef NO_PLAN
  if :: reply == NONE && c.counted >= PLAN -> reply = EXHAUSTED :: else fi;
#endif
  skip
}

/* What begin answers where nothing changes; NONE: there is something to commit. */
inline ask(I, RES, ATT) {
  reply = NONE; told = 0; live = 0; taken = 0; lapsed = 0;
  find(ATT);
  for (k : 0 .. RECORDS - 1) {
    if
    :: LIVE(k) -> live++; if :: c.flight[k].resource == RES -> taken = 1 :: else fi
    :: LAPSED(k, RES) && COUNTS(RES, c.flight[k].token) -> lapsed = 1
    :: else
    fi
  };
  if :: place < RECORDS && c.flight[place].rest > 0 -> reply = FETCH; told = c.flight[place].token :: else fi;
  if :: reply == NONE && c.stored[RES] != 0 && BEATS(c.stored[RES], c.data[RES], in[I].held[RES], in[I].held_data[RES]) -> reply = NEWER :: else fi;
#ifndef NO_LEASE
  if :: reply == NONE && taken -> reply = BUSY :: else fi;
#endif
#ifndef NO_CAP
  if :: reply == NONE && live >= CAP -> reply = SLOTS_TAKEN :: else fi;
#endif
  if :: reply == NONE && !lapsed -> pace(RES) :: else fi
}

inline begin(I, RES, ATT) {
  ask(I, RES, ATT);
  if
  :: reply == NONE ->
     for (j : 0 .. RECORDS - 1) { if :: LAPSED(j, RES) -> note_failure(RES, c.flight[j].token) :: else fi };
     pace(RES);
     if
     :: reply == NONE ->
        reply = FETCH;
        find(ATT); if :: place < RECORDS -> drop(place) :: else fi;       /* a new reservation, the one before stays spent */
        make_room();
        c.epoch = MAX(c.epoch, c.stored[RES]) + 1; c.counted++; told = c.epoch;
        c.flight[place].attempt = ATT; c.flight[place].token = told; c.flight[place].resource = RES; c.flight[place].rest = LEASE;
        c.next_in[RES] = INTERVAL; c.token[RES] = told
     :: else
     fi
  :: else
  fi
}

inline finish(ATT, TOK, RES, OUT, DAT) {
  reply = NOTED;
  find(ATT);
  live = (place < RECORDS -> c.flight[place].rest : 0);                 /* the judge's: was its lease still running? */
  was_settled = place < RECORDS;
  if
  :: place < RECORDS ->
     assert(!(true_settled & (1 << c.flight[place].token)));             /* settled once */
#ifndef NO_SETTLE_ONCE
     true_settled = true_settled | (1 << c.flight[place].token);
#endif
     if
     :: OUT == UNSENT -> c.counted--; if :: c.token[RES] == TOK -> c.next_in[RES] = 0 :: else fi
     :: OUT == HANDED_OVER -> if :: c.token[RES] == TOK -> c.next_in[RES] = 0 :: else fi; if :: true_excuses[RES] < PLAN -> true_excuses[RES]++ :: else fi
     :: else
     fi;
     if
#ifndef NO_KEPT_SLOT
     :: OUT == CUT_OFF -> c.flight[place].settled = 1
#endif
#ifdef NO_SETTLE_ONCE
     :: OUT == UNSENT -> skip
#endif
     :: else -> drop(place)
     fi
  :: else
  fi;
#ifdef NO_OWN_RELEASE
  for (k : 0 .. RECORDS - 1) { if :: c.flight[k].attempt != 0 && c.flight[k].resource == RES -> drop(k) :: else fi };
#endif
  if
#ifdef NO_PURGE_MARK
  :: OUT == FETCHED ->
#else
  :: OUT == FETCHED && TOK > c.purged ->
#endif
     if
     :: TOK == c.stored[RES] -> reply = STORED                            /* told again */
     :: TOK != c.stored[RES] && (c.stored[RES] == 0 || BEATS(TOK, DAT, c.stored[RES], c.data[RES])) -> keep(RES, TOK, DAT); reply = STORED
     :: TOK < c.stored[RES] && !BEATS(TOK, DAT, c.stored[RES], c.data[RES]) ->
        reply = FENCED;
        assert(live == 0)                                               /* whoever holds the lease isn't fenced */
     :: else -> reply = OLDER_DATA
     fi
  :: else
  fi;
  if
  :: (OUT == OLD || reply == OLDER_DATA) && was_settled && TOK >= c.token[RES] -> c.next_in[RES] = INTERVAL
  :: OUT == FAILED || OUT == CUT_OFF -> note_failure(RES, TOK)
  :: else
  fi
}

/* What the store gives out can be asked for again. */
inline archived(TOK) { assert((c.archive & (1 << (TOK)))) }

inline read(I, RES) {
  if :: c.stored[RES] > 0 -> archived(c.stored[RES]); adopt(I, RES, c.stored[RES], c.data[RES]) :: else fi
}

/* Here only for what the store could not be told: of a control that is there nothing else is to be brought back. */
inline restore(I, RES) {
  if
  :: in[I].held[RES] > c.purged && BEATS(in[I].held[RES], in[I].held_data[RES], c.stored[RES], c.data[RES]) ->
     c.epoch = MAX(c.epoch, in[I].held[RES]);
     keep(RES, in[I].held[RES], in[I].held_data[RES])
  :: else
  fi
}

/* Writes nothing. Whatever is newer is read at once; what isn't there is brought back. */
inline look(I) {
  hear(I);
  for (j : 0 .. R - 1) {
    read(I, j);
    if
    :: in[I].held[j] > c.stored[j] && side == NONE -> side = RESTORING; side_by = I; side_resource = j; side_sees = 1; recite(N)
    :: else
    fi
  }
}

inline amend(I, RES, TOK) {
  reply = NONE; live = 0;
  for (k : 0 .. RECORDS - 1) { if :: LIVE(k) && !c.flight[k].settled && c.flight[k].resource == RES -> live = 1 :: else fi };
#ifndef NO_AMEND_BUSY
  if :: live > 0 -> reply = BUSY :: else fi;
#endif
#ifndef NO_AMEND_SAME
  if :: reply == NONE && ((c.stored[RES] != 0 && c.stored[RES] != in[I].held[RES]) || in[I].held[RES] <= c.purged) -> reply = CHANGED :: else fi;
#endif
#ifndef NO_AMEND_NEWEST
  if :: reply == NONE && TOK <= c.epoch -> reply = OVERTAKEN :: else fi;
#endif
  if
  :: reply == NONE ->
     true_bar[RES] = c.epoch; c.epoch = MAX(c.epoch, TOK);
     keep(RES, TOK, in[I].held_data[RES]); reply = STORED;
     adopt(I, RES, TOK, in[I].held_data[RES])
  :: else
  fi
}

inline purge() {
#ifndef NO_PURGE_MARK
  c.purged = c.epoch;
#endif
  for (k : 0 .. R - 1) { c.stored[k] = 0; c.data[k] = 0; true_bar[k] = c.epoch };
  k = 0                                 /* a step of its own: a loop must not be the last thing in a d_step */
}

/* ------------------------------------------------------------------ instances */

/* What the reply to begin makes of an attempt of number a. */
inline take(I, RES, ATT) {
  if
  :: reply == FETCH -> in[I].state = GRANTED; in[I].attempt = ATT; in[I].token = told; in[I].resource = RES; if :: ATT > drawn -> drawn = ATT :: else fi
  :: else ->
     forget(I);
     if :: reply == NEWER -> read(I, RES) :: else fi
  fi;
  hear(I)
}

#define MAY_ASK(i)  (in[i].state == IDLE && !in[i].paused && !in[i].asked && !in[i].stopping)
#define MAY_COMMIT(i) (!in[i].paused && in[i].sees)

proctype Instance_(byte i) {
  byte res;
end:
  do
  /* The right to fetch: read and decided; what changes nothing is answered. */
  :: atomic { MAY_ASK(i) ->
       res = 0; do :: res < R - 1 -> res++ :: break od;
       d_step { in[i].age = 0; in[i].asked = 1; ask(i, res, drawn + 1);
         if
         :: reply == NONE -> in[i].state = ASKING; in[i].resource = res; in[i].sees = 1; recite(i)
         :: else -> printf("%d: begin: %e, token %d\n", i, reply, told); take(i, res, drawn + 1)
         fi;
         res = 0 } }
  :: d_step { in[i].state == ASKING && MAY_COMMIT(i) ->
       number = (in[i].attempt > 0 -> in[i].attempt : drawn + 1);
       recall(i); begin(i, in[i].resource, number); printf("%d: begin: %e, token %d\n", i, reply, told);
       in[i].sees = 0; take(i, in[i].resource, number); committed() }
  /* ... others were faster: read and decided again, or given up */
  :: d_step { in[i].state == ASKING && !in[i].paused && !in[i].sees ->
       if :: in[i].attempt > 0 -> in[i].state = UNKNOWN :: else -> forget(i); in[i].asked = 0 fi }
  /* ... the reply is lost */
  :: d_step { in[i].state == ASKING && MAY_COMMIT(i) && in[i].attempt == 0 && losses > 0 ->
       recall(i); begin(i, in[i].resource, drawn + 1); in[i].sees = 0; committed();
       if
       :: reply == FETCH -> printf("%d: begin: its reply, token %d, is lost\n", i, told); losses--; drawn++; in[i].state = UNKNOWN; in[i].attempt = drawn
       :: else -> forget(i)
       fi }
  /* ... it comes to the server later, if at all */
  :: d_step { in[i].state == ASKING && MAY_COMMIT(i) && in[i].attempt == 0 && in[i].resource == 0 && delays > 0 && late_kind == NONE ->
       delays--; drawn++; in[i].state = UNKNOWN; in[i].attempt = drawn; in[i].sees = 0;
       late_kind = FETCH; late_sees = 1; late_by = i; late_attempt = drawn; printf("%d: begin is given up on its way\n", i) }
  /* Unknown: the control is read again, and tells whether the attempt was granted; or never mind. */
  :: d_step { in[i].state == UNKNOWN && !in[i].paused && in[i].age <= SLACK ->
       repeated = HOLDS(in[i].attempt);
#ifdef NO_SAME_ATTEMPT
       in[i].attempt = drawn + 1;
#endif
       ask(i, in[i].resource, in[i].attempt);
       printf("%d: begin again: %e, token %d\n", i, reply, told);
       assert(!repeated || reply == FETCH);                             /* a grant isn't lost with its reply */
       if
       :: reply == NONE -> in[i].state = ASKING; in[i].sees = 1; recite(i)
       :: else -> take(i, in[i].resource, in[i].attempt)
       fi }
  :: d_step { in[i].state == UNKNOWN && !in[i].paused -> forget(i); in[i].asked = 1 }

  /* The clock is read right before the call. */
  :: d_step { in[i].state == GRANTED && !in[i].paused ->
       if
#ifndef NO_START_SLACK
       :: in[i].age > SLACK -> in[i].state = FINISHING; in[i].outcome = UNSENT
#endif
       :: else -> in[i].state = SENDING; true_due[i] = in[i].age <= SLACK
       fi }
  :: d_step { in[i].state == SENDING && !in[i].paused ->
       in[i].state = CALLING; true_calls++; printf("%d: calls under token %d\n", i, in[i].token);
       /* Paused between the clock and the first byte: as good as a lost lease. */
       if :: in[i].age > SLACK && true_due[i] && true_excuses[in[i].resource] < PLAN -> true_excuses[in[i].resource]++ :: else fi;
       assert(true_calls <= PLAN && true_calls <= c.counted);              /* P1: spend */
       if
       :: true_since[in[i].resource] < INTERVAL - SLACK ->
          assert(true_excuses[in[i].resource] > 0);                     /* P1: one for each resource and interval */
          true_excuses[in[i].resource]--
       :: else
       fi;
       true_since[in[i].resource] = 0; true_up[i] = 255;
       true_slept[i] = true_due[i] && !HOLDS(in[i].attempt); true_due[i] = 0;
#if R == 1
       assert(SUM(AT_WORK) <= 1);                                       /* one call for a resource at a time */
#endif
       assert(SUM(AT_WORK) <= CAP) }                                    /* the cap */
  /* Upstream answers, whoever sleeps. */
  :: atomic { in[i].state == CALLING && true_up[i] == 255 ->
       if
       :: in[i].outcome = FETCHED; in[i].result = upstream_data
       :: olds > 0 && upstream_data > 1 -> olds--; in[i].outcome = FETCHED; in[i].result = upstream_data - 1
       :: failures > 0 -> failures--; in[i].outcome = FAILED
       fi;
       true_up[i] = 0; true_slept[i] = 0; printf("%d: upstream: %e, data time %d\n", i, in[i].outcome, in[i].result) }
  :: d_step { in[i].state == CALLING && !in[i].paused && true_up[i] == 0 ->
       in[i].state = FINISHING;
       /* The transport keeps what is older than what is held from becoming an answer. */
       if :: in[i].outcome == FETCHED && in[i].result < in[i].held_data[in[i].resource] -> in[i].outcome = OLD :: else fi }
  /* The call's time is over: cut off, and upstream may be at work until the lease's end. */
#ifndef NO_CALL_END
  :: d_step { AT_CALL_END(i) && !in[i].paused ->
       in[i].state = FINISHING; in[i].outcome = CUT_OFF; printf("%d: cuts its call off\n", i); true_up[i] = (in[i].age < LEASE && !true_slept[i] -> LEASE - in[i].age : 0); true_slept[i] = 0 }
#endif
  :: d_step { in[i].state == CALLING && !in[i].paused && true_up[i] == 255 && stops > 0 ->
       stops--; in[i].state = FINISHING; in[i].outcome = HANDED_OVER; printf("%d: is told to stop\n", i); in[i].stopping = 1; true_up[i] = 0; true_slept[i] = 0 }

  /* Told: read, and committed; again while others are faster. */
  :: d_step { in[i].state == FINISHING && !in[i].paused && !in[i].sees -> in[i].sees = 1; recite(i) }
  :: d_step { in[i].state == FINISHING && MAY_COMMIT(i) ->
       recall(i); finish(in[i].attempt, in[i].token, in[i].resource, in[i].outcome, in[i].result);
       printf("%d: finish of token %d, %e: %e\n", i, in[i].token, in[i].outcome, reply);
       if
       :: in[i].outcome == FETCHED && reply == STORED -> adopt(i, in[i].resource, in[i].token, in[i].result)
       :: reply == FENCED || reply == OLDER_DATA -> read(i, in[i].resource)
       :: else
       fi;
       forget(i); hear(i); in[i].stopping = 0; in[i].asked = 1; in[i].sees = 0; committed() }
  /* ... and not answered: read again, and told again */
  :: d_step { in[i].state == FINISHING && MAY_COMMIT(i) && losses > 0 ->
       losses--; recall(i); finish(in[i].attempt, in[i].token, in[i].resource, in[i].outcome, in[i].result);
       printf("%d: finish of token %d, %e: its reply is lost\n", i, in[i].token, in[i].outcome); in[i].sees = 0; committed() }
  /* ... or the commit comes later */
  :: d_step { in[i].state == FINISHING && MAY_COMMIT(i) && delays > 0 && late_kind == NONE ->
       delays--; late_kind = STORED; late_sees = 1; late_by = i; late_attempt = in[i].attempt; late_token = in[i].token;
       late_resource = in[i].resource; late_outcome = in[i].outcome; late_data = in[i].result; in[i].sees = 0 }
  /* ... or can't be told: what was paid for is held all the same */
  :: d_step { in[i].state == FINISHING && !in[i].paused && losses > 0 ->
       losses--;
       if :: in[i].outcome == FETCHED -> adopt(i, in[i].resource, in[i].token, in[i].result) :: else fi;
       forget(i); in[i].stopping = 0; in[i].asked = 1; in[i].sees = 0 }

  /* What is asked beside a call. */
  :: d_step { side == RESTORING && side_by == i && !in[i].paused ->
       if :: side_sees -> recall(N); printf("%d: restore of token %d\n", i, in[i].held[side_resource]); restore(i, side_resource); committed() :: else fi;
       side = NONE; side_by = 0; side_resource = 0; side_sees = 0 }
  /* An operator's wish comes to this instance: under a token above all it knows of. */
  :: d_step { !in[i].paused && amends > 0 && in[i].held[0] != 0 && side == NONE ->
       amends--; side = AMENDING; side_by = i; side_token = MAX(in[i].held[0], in[i].known_epoch) + 1; side_sees = 1; recite(N) }
  :: d_step { side == AMENDING && side_by == i && !in[i].paused && !side_sees -> side_sees = 1; recite(N) }
  :: d_step { side == AMENDING && side_by == i && !in[i].paused && side_sees ->
       recall(N); amend(i, 0, side_token); printf("%d: amend under token %d: %e\n", i, side_token, reply); hear(i);
       side = NONE; side_by = 0; side_token = 0; side_sees = 0; if :: reply == STORED -> committed() :: else fi }

  /* An event names something, it is read, and adopted whenever. */
  :: d_step { !in[i].paused && reads > 0 && c.stored[0] != 0 && in[i].read_token == 0 ->
       printf("%d: reads token %d\n", i, c.stored[0]); reads--; in[i].read_token = c.stored[0]; in[i].read_data = c.data[0] }
  :: d_step { !in[i].paused && in[i].read_token != 0 ->
       printf("%d: takes what it has read, token %d\n", i, in[i].read_token); adopt(i, 0, in[i].read_token, in[i].read_data); in[i].read_token = 0; in[i].read_data = 0 }

  :: d_step { !in[i].paused && crashes > 0 ->
       printf("%d: is killed\n", i);
       crashes--; true_up[i] = 0; true_slept[i] = 0; forget(i); in[i].sees = 0; in[i].stopping = 0; in[i].known_epoch = 0;
       if :: side_by == i && side != PURGING -> side = NONE; side_by = 0; side_resource = 0; side_token = 0; side_sees = 0 :: else fi;
       in[i].read_token = 0; in[i].read_data = 0;
       for (k : 0 .. R - 1) { in[i].held[k] = 0; in[i].held_data[k] = 0 }; k = 0 }
  :: d_step { !in[i].paused && pauses > 0 && (in[i].state != IDLE || AMEND > 0) -> pauses--; in[i].paused = 1; printf("%d: falls asleep\n", i) }
  :: d_step { in[i].paused -> in[i].paused = 0; printf("%d: wakes up\n", i) }
  od
}

proctype World() {
end:
  do
  /* A tick, and a look of all that are awake. */
  :: d_step { !ANY(HURRIED) ->
       printf("a tick; all who are awake look\n");
#ifndef NO_LEASE_END
       for (k : 0 .. RECORDS - 1) { DOWN(c.flight[k].rest) };
#endif
       for (k : 0 .. R - 1) { DOWN(c.next_in[k]); if :: true_since[k] < INTERVAL -> true_since[k]++ :: else fi };
       for (k : 0 .. N - 1) {
         in[k].asked = 0; in[k].sees = 0;
         if :: in[k].state != IDLE && in[k].age < LEASE -> in[k].age++ :: else fi;
         if :: true_up[k] > 0 && true_up[k] < 255 -> true_up[k]-- :: else fi;
         if :: true_up[k] == 255 && in[k].paused && !HOLDS(in[k].attempt) -> true_slept[k] = 1 :: else fi
       };
       /* Whatever was read before is too old to be committed. */
       side = NONE; side_by = 0; side_resource = 0; side_token = 0; side_sees = 0;
       late_kind = NONE; late_sees = 0; late_by = 0; late_attempt = 0; late_token = 0; late_resource = 0; late_outcome = NONE; late_data = 0;
       if :: !in[0].paused -> look(0) :: else fi;
       if :: !in[1].paused -> look(1) :: else fi;
#if N > 2
       if :: !in[2].paused -> look(2) :: else fi;
#endif
       k = 0; j = 0 }

  :: d_step { upstream_data < NEWEST && !calm -> upstream_data++; printf("upstream has data time %d\n", upstream_data) }

  :: d_step { purges > 0 && c.epoch > 0 && side == NONE -> purges--; side = PURGING; side_by = N; side_sees = 1; recite(N) }
  :: d_step { side == PURGING && !side_sees -> side_sees = 1; recite(N) }
  :: d_step { side == PURGING && side_sees -> printf("purge up to token %d\n", c.epoch); recall(N); purge(); side = NONE; side_by = 0; side_sees = 0; committed() }

  /* A commit that was given up comes after all. */
  :: d_step { late_kind == FETCH ->
       if :: late_sees -> begin(late_by, late_resource, late_attempt); printf("%d: the begin that was given up: %e\n", late_by, reply); committed() :: else fi;
       late_kind = NONE; late_sees = 0; late_by = 0; late_attempt = 0; late_resource = 0 }
  :: d_step { late_kind == STORED ->
       if
       :: late_sees ->
          finish(late_attempt, late_token, late_resource, late_outcome, late_data);
          printf("%d: the finish of token %d that was given up: %e\n", late_by, late_token, reply); committed()
       :: else
       fi;
       late_kind = NONE; late_sees = 0; late_by = 0; late_attempt = 0; late_token = 0; late_resource = 0; late_outcome = NONE; late_data = 0 }

#ifdef RECOVERY
  :: d_step { !calm && !ANY(PAUSED) && late_kind == NONE ->
       calm = 1; true_goal = c.epoch;
       crashes = 0; pauses = 0; losses = 0; delays = 0; failures = 0; olds = 0; stops = 0; reads = 0; amends = 0; purges = 0 }
#endif
  od
}

init {
  d_step {
    for (k : 0 .. N - 1) { in[k].state = IDLE; in[k].outcome = NONE };
    for (k : 0 .. R - 1) { true_since[k] = INTERVAL };
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
/* P6: with no more faults everybody gets a snapshot asked for since then, unless the plan is used up. */
ltl recovery { [] (calm -> <> (ALL(FRESH) || c.counted >= PLAN)) }
#endif
