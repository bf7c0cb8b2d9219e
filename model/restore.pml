/*
 * What is left when the store loses its control, goes back to an earlier one, or is away.
 *
 * Scripts: begin, finish, restore, look, read. One resource, one call in flight (b = 1); pace and back-off of a resource are
 * lease.pml's. Time, tokens and `true_` as there.
 *
 * Faults, each as often as -D says: FLUSH (control and snapshot, or the control alone), FAILOVER (the writes since some
 * moment of this tick are undone, and the server is another one), AWAY (nobody reaches the store, for any time), CRASH,
 * PAUSE, LOST (a reply to finish), OLDER (an older copy in upstream's answer). OFFLINE: calls without the store that each
 * instance may make; they are counted on its disk, which survives a crash.
 */
#ifndef N
#define N 2
#endif
#ifndef PLAN
#define PLAN 4
#endif
#ifndef FLUSH
#define FLUSH 0
#endif
#ifndef FAILOVER
#define FAILOVER 0
#endif
#ifndef AWAY
#define AWAY 0
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
#ifndef OLDER
#define OLDER 0
#endif
#ifndef OFFLINE
#define OFFLINE 0
#endif

#define LEASE    3
#define SLACK    1
#define CALL_END 2
#define GRACE    1              /* looks of everybody who is there */
#define GAP      1              /* ticks between two grants, after the first b */
#define B        1              /* burst */
#define RECORDS  3
#define NEWEST   2
#define OLDEST   PLAN           /* ages are told no further apart than this */

/* Whether nobody ever holds an answer that the store could not be told of; one who does tells it at his next look. */
#define TOLD_ALL (LOST == 0 && AWAY == 0)

#define BEATS(t, d, t0, d0) ((t0) == 0 || ((t) > (t0) && (d) >= (d0)))
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define MIN(a, b) ((a) < (b) -> (a) : (b))
#define DOWN(x) x = ((x) > 0 -> (x) - 1 : 0)

/* What may have been granted unknown to a memory of that age. */
#if defined(NO_MARGIN)
#define MARGIN(age) 0
#elif defined(NO_AGE)
#define MARGIN(age) B
#else
#define MARGIN(age) (B + (age) / GAP)
#endif

mtype = { IDLE, GRANTED, CALLING, FINISHING };
mtype = { NONE, FETCHED, OLD, UNSENT };
mtype = { FETCH, NEWER, BUSY, PACED, EXHAUSTED, LOST_CONTROL, STORED, FENCED, OLDER_DATA, NOTED, WAIT };

typedef Record { byte attempt; byte token; byte rest };

typedef Control {
  bit there; bit foreign;       /* its stamp isn't this server's */
  byte open_in; byte epoch; byte used; byte away;
  byte tat;                     /* ticks until the rate limit lets the next one pass */
  Record flight[RECORDS];
  byte told[N];                 /* calls without the store, by instance */
  byte stored; byte data; byte id   /* the snapshot, a key of its own: token, data time, and whose attempt it was */
};
Control c;
Control replica;
bit behind;                     /* the replica gets nothing any more, and will be the master in this tick */
bit is_away;

typedef Instance {
  mtype state; byte attempt; byte token; byte age; mtype outcome; byte result;
  byte held; byte held_data; byte held_id;
  byte floor;                   /* the highest token adopted that the store has drawn */
  bit knows;                    /* the birth of the present life */
  bit has_ledger; byte used; byte epoch; byte asked;   /* the shadow, and its age */
  byte calls; bit untold;       /* without the store; the store has yet to hear of some */
  bit offline;                  /* the call under way is one of those */
  bit paused
};
Instance in[N];

byte upstream_data = 1;
byte drawn;
bit calm;
byte flushes = FLUSH, failovers = FAILOVER, outages = AWAY, crashes = CRASH, pauses = PAUSE, losses = LOST, olds = OLDER;

byte true_calls;
bit true_up[N];
bit true_absent[N];             /* slept through the grace, and has not been heard since */
bit true_slept[N];
bit true_unknown;               /* the control was made anew by those who knew nothing of the month: the blank share is a guess */
int true_settled, true_settled_there;   /* a bit for each attempt, in the control and in the replica */
byte true_goal;

hidden byte k, j, place, live, oldest, told, bound, grant; hidden mtype reply;

#define LIVE(x)    (c.flight[x].attempt != 0 && c.flight[x].rest > 0)
#define HAS(x, a)  (c.flight[x].attempt == (a) && c.flight[x].rest > 0)
#define HOLDS(a)   (HAS(0, a) || HAS(1, a) || HAS(2, a))
#define KNOWN(x, a) (c.flight[x].attempt == (a))
#define RECORDED(a) (KNOWN(0, a) || KNOWN(1, a) || KNOWN(2, a))
#define AT_WORK(i) (true_up[i] && !true_slept[i] && !in[i].offline)
#define LOSING     (!c.there || c.foreign)
#if N == 2
#define ANY(P) (P(0) || P(1))
#define ALL(P) (P(0) && P(1))
#define SUM(P) (P(0) + P(1))
#else
#define ANY(P) (P(0) || P(1) || P(2))
#define ALL(P) (P(0) && P(1) && P(2))
#define SUM(P) (P(0) + P(1) + P(2))
#endif
#define UNTOLD(i)  (in[i].calls > c.told[i] -> in[i].calls - c.told[i] : 0)
#define OFFLINE_CALLS(i) in[i].calls
#define PENDING(i) (in[i].state == GRANTED)
#define PAUSED(i)  in[i].paused
#define FRESH(i)   (in[i].held > true_goal)
#define HURRIED(i) (!in[i].paused && (in[i].state == GRANTED || (in[i].state == CALLING && true_up[i] && in[i].age >= CALL_END)))

/* ------------------------------------------------------------------ parts of scripts */

inline find(ATT) {
  place = RECORDS;
  for (k : 0 .. RECORDS - 1) { if :: c.flight[k].attempt == (ATT) && (ATT) != 0 -> place = k :: else fi }
}

inline drop(X) { c.flight[X].attempt = 0; c.flight[X].token = 0; c.flight[X].rest = 0 }

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

inline keep(TOK, DAT, ID) {
  assert((TOK) > c.stored && (DAT) >= c.data);                          /* fence and P4 in the store */
  c.stored = TOK; c.data = DAT; c.id = ID
}

inline adopt(I, TOK, DAT, ID, DRAWN) {
  if
  :: BEATS(TOK, DAT, in[I].held, in[I].held_data) ->
     in[I].held = TOK; in[I].held_data = DAT; in[I].held_id = ID;
     if :: DRAWN -> in[I].floor = MAX(in[I].floor, TOK) :: else fi
  :: else
  fi
}

/* The shadow of every answer. */
inline remember(I) { true_absent[I] = 0; in[I].knows = 1; in[I].has_ledger = 1; in[I].used = c.used; in[I].epoch = (OFFLINE > 0 -> c.epoch : 0); in[I].asked = 0 }

inline forget(I) { in[I].state = IDLE; in[I].attempt = 0; in[I].token = 0; in[I].age = 0; in[I].outcome = NONE; in[I].result = 0; in[I].offline = 0; true_slept[I] = 0 }

#if defined(NO_BIRTH)
#define LOSES(i) LOSING
#elif defined(NO_TOLD_TOKENS)
#define LOSES(i) (LOSING || !in[i].knows)
#else
#define LOSES(i) (LOSING || !in[i].knows || in[i].floor > c.epoch)
#endif

/* A life that isn't theirs: whoever knew the one before knows this one not. */
inline new_life() { for (k : 0 .. N - 1) { in[k].knows = 0 } }

/* ------------------------------------------------------------------ scripts */

inline restore(I) {
  printf("%d: restore\n", I);
  if
  :: !c.there ->
     new_life();
     c.there = 1; c.foreign = 0; c.epoch = 0; c.away = 0; c.open_in = GRACE; c.tat = (B - 1) * GAP;
     true_unknown = !in[I].has_ledger;
     c.used = 0
  :: c.there && (c.foreign || (in[I].floor > c.epoch && c.open_in == 0)) ->
     new_life();
     c.foreign = 0; c.open_in = GRACE;
#ifndef NO_MARGIN
     c.used = MAX(c.used, MIN(PLAN, c.used + B));
#endif
     c.away = 0
  :: else
  fi;
#ifdef NO_GRACE
  c.open_in = 0;
#endif
#ifndef NO_TOLD_TOKENS
  c.epoch = MAX(c.epoch, MAX(in[I].floor, in[I].held));
#endif
  if
  :: !in[I].knows && in[I].has_ledger ->
     bound = MAX(in[I].used, MIN(PLAN, in[I].used + MARGIN(in[I].asked)));
     c.used = (c.used - c.away > bound -> c.used : bound + c.away);
     true_unknown = 0
  :: else
  fi;
#ifndef NO_REINSTATE
  /* The call that may still be made or is under way; not one that has ended. */
#ifdef NO_ONLY_RUNNING
  if :: in[I].state != IDLE && !in[I].offline && in[I].age < LEASE && !RECORDED(in[I].attempt) ->
#else
  if :: (in[I].state == GRANTED || in[I].state == CALLING) && !in[I].offline && in[I].age < LEASE && !RECORDED(in[I].attempt) ->
#endif
        make_room(); c.flight[place].attempt = in[I].attempt; c.flight[place].token = in[I].token; c.flight[place].rest = LEASE - in[I].age
  :: else
  fi;
#endif
#ifndef NO_REFILL
  if :: in[I].held != 0 && BEATS(in[I].held, in[I].held_data, c.stored, c.data) -> keep(in[I].held, in[I].held_data, in[I].held_id) :: else fi;
#endif
  /* Calls without the store: a running total, so that what is told twice counts once. */
#ifdef NO_RUNNING_TOTAL
  if :: in[I].untold -> c.used = c.used + in[I].calls; c.away = c.away + in[I].calls; c.told[I] = in[I].calls :: else fi;
#else
  if :: in[I].calls > c.told[I] -> c.used = c.used + in[I].calls - c.told[I]; c.away = c.away + in[I].calls - c.told[I]; c.told[I] = in[I].calls :: else fi;
#endif
  in[I].untold = 0;
  assert(c.away <= SUM(OFFLINE_CALLS));                                 /* told twice, counted once */
  remember(I)
}

inline begin(I) {
  reply = NONE; live = 0;
  for (k : 0 .. RECORDS - 1) { if :: LIVE(k) -> live++ :: else fi };
  if :: LOSES(I) -> reply = LOST_CONTROL :: else fi;
  if :: reply == NONE && c.stored != 0 && BEATS(c.stored, c.data, in[I].held, in[I].held_data) -> reply = NEWER :: else fi;
  if :: reply == NONE && (c.open_in > 0 || c.tat > 0) -> reply = PACED :: else fi;
  if :: reply == NONE && live > 0 -> reply = BUSY :: else fi;
  if :: reply == NONE && c.used >= PLAN -> reply = EXHAUSTED :: else fi;
  if
  :: reply == NONE ->
     reply = FETCH; make_room();
#ifdef NO_TOLD_TOKENS
     grant = c.epoch + 1;
#else
     grant = MAX(c.epoch, c.stored) + 1;
#endif
     /* Whatever anybody who is there holds is older: else his peers would refuse what is fetched now. */
#if TOLD_ALL
     for (k : 0 .. N - 1) { assert(in[k].paused || !in[k].knows || grant > in[k].held) };
#endif
     c.epoch = grant; c.used++; c.tat = GAP; drawn++;
     assert(true_unknown || true_calls + SUM(PENDING) + 1 - SUM(UNTOLD) <= c.used);   /* P1: reserved before it is spent */
     assert(c.used <= PLAN);
     c.flight[place].attempt = drawn; c.flight[place].token = c.epoch; c.flight[place].rest = LEASE
  :: else
  fi
}

inline finish(ATT, TOK, OUT, DAT, I) {
  reply = NOTED;
  if
  :: LOSES(I) -> reply = LOST_CONTROL
#ifndef NO_FINISH_WAITS
  :: !LOSES(I) && c.open_in > 0 -> reply = WAIT
#endif
  :: else ->
     find(ATT);
     if
     :: place < RECORDS ->
        assert(!(true_settled & (1 << (ATT)))); true_settled = true_settled | (1 << (ATT));   /* settled once */
        if :: OUT == UNSENT -> c.used-- :: else fi;
        drop(place)
     :: else
     fi;
     if
     :: OUT == FETCHED && TOK == c.stored && ATT == c.id -> reply = STORED
     :: OUT == FETCHED && BEATS(TOK, DAT, c.stored, c.data) ->
        /* A memory that is there isn't ahead of what a late answer writes. */
#if TOLD_ALL
        for (k : 0 .. N - 1) { assert(in[k].paused || true_absent[k] || DAT >= in[k].held_data) };
#endif
        keep(TOK, DAT, ATT); reply = STORED
     :: OUT == FETCHED && (TOK < c.stored || (TOK == c.stored && ATT != c.id)) -> reply = FENCED
     :: else
     fi
  fi
}

inline read(I) { if :: c.stored > 0 -> adopt(I, c.stored, c.data, c.id, 1) :: else fi }

inline look(I) {
  if
  :: LOSES(I) -> restore(I)
  :: else -> remember(I);
     if
       :: in[I].untold || (in[I].held != 0 && BEATS(in[I].held, in[I].held_data, c.stored, c.data)) -> restore(I)
     :: else
     fi
  fi;
  read(I)
}

/* ------------------------------------------------------------------ instances */

/* A call leaves. */
inline leave(I) {
  in[I].state = CALLING; true_up[I] = 1; true_calls++
}

proctype Instance_(byte i) {
end:
  do
  :: d_step { in[i].state == IDLE && !in[i].paused && !is_away ->
       /* Nothing is granted on a ledger that lacks what this instance has spent. */
       if :: in[i].untold -> restore(i) :: else fi;
       begin(i); printf("%d: begin: %e\n", i, reply);
       if
       :: reply == LOST_CONTROL -> restore(i)
       :: reply == FETCH -> in[i].state = GRANTED; in[i].attempt = drawn; in[i].token = c.epoch; in[i].age = 0; remember(i)
       :: reply == NEWER -> read(i); remember(i)
       :: else -> remember(i)
       fi }
  :: d_step { in[i].state == GRANTED && !in[i].paused ->
       if
       :: in[i].age > SLACK -> in[i].state = FINISHING; in[i].outcome = UNSENT
       :: else ->
          leave(i); printf("%d: calls under token %d\n", i, in[i].token);
          assert(LOSING || c.open_in > 0 || true_unknown || true_calls - SUM(UNTOLD) <= c.used);   /* P1: ledger */
          assert(SUM(AT_WORK) <= B)                                     /* the cap */
       fi }
  /* Without the store: the number, and what may have been used by now. The count is on the disk before the call leaves. */
#if OFFLINE > 0
  :: d_step { in[i].state == IDLE && !in[i].paused && is_away && in[i].has_ledger && in[i].calls < OFFLINE &&
#ifdef NO_OFFLINE_CALL_OF_ALL
              in[i].used + MARGIN(in[i].asked) + in[i].calls * N < PLAN ->
#else
              in[i].used + MARGIN(in[i].asked) + (in[i].calls + 1) * N <= PLAN ->
#endif
       in[i].calls++; in[i].untold = 1; in[i].age = 0; in[i].offline = 1; in[i].token = MAX(in[i].held, MAX(in[i].floor, in[i].epoch)) + 1;
       leave(i); printf("%d: calls without the store, call %d of all\n", i, true_calls);
       assert(true_calls <= PLAN) }                                     /* P1: nobody calls beyond the plan without the store */
#endif
  /* Upstream answers, whoever sleeps. */
  :: atomic { in[i].state == CALLING && true_up[i] ->
       if
       :: in[i].outcome = FETCHED; in[i].result = upstream_data
       :: olds > 0 && upstream_data > 1 -> olds--; in[i].outcome = FETCHED; in[i].result = upstream_data - 1
       fi;
       true_up[i] = 0; printf("%d: upstream answers with data time %d\n", i, in[i].result) }
  :: d_step { in[i].state == CALLING && !in[i].paused && !true_up[i] ->
       if :: in[i].outcome == FETCHED && in[i].result < in[i].held_data -> in[i].outcome = OLD :: else fi;
       if
       :: in[i].offline -> if :: in[i].outcome == FETCHED -> adopt(i, in[i].token, in[i].result, 0, 0) :: else fi; forget(i)
       :: else -> in[i].state = FINISHING
       fi }
  :: d_step { in[i].state == CALLING && !in[i].paused && true_up[i] && in[i].age >= CALL_END ->
       true_up[i] = 0; true_slept[i] = 0; if :: in[i].offline -> forget(i) :: else -> in[i].state = FINISHING; in[i].outcome = OLD fi }

  :: d_step { in[i].state == FINISHING && !in[i].paused && !is_away ->
       finish(in[i].attempt, in[i].token, in[i].outcome, in[i].result, i);
       printf("%d: finish of token %d: %e\n", i, in[i].token, reply);
       if
       :: reply == LOST_CONTROL -> restore(i)
       :: reply == WAIT -> skip
       :: else ->
          if :: in[i].outcome == FETCHED && reply == STORED -> adopt(i, in[i].token, in[i].result, in[i].attempt, 1) :: else read(i) fi;
          forget(i); remember(i)
       fi }
  :: d_step { in[i].state == FINISHING && !in[i].paused && !is_away && losses > 0 && !LOSES(i) ->
       losses--; finish(in[i].attempt, in[i].token, in[i].outcome, in[i].result, i);
       printf("%d: finish of token %d: its reply is lost\n", i, in[i].token) }
  /* Can't be told in the time that makes sense. */
  :: d_step { in[i].state == FINISHING && !in[i].paused && (is_away || losses > 0) ->
       printf("%d: can't tell of token %d\n", i, in[i].token);
       if :: !is_away -> losses-- :: else fi;
       if :: in[i].outcome == FETCHED -> adopt(i, in[i].token, in[i].result, in[i].attempt, 1) :: else fi;
       forget(i) }

  :: d_step { !in[i].paused && crashes > 0 ->
       printf("%d: is killed\n", i);
       crashes--; true_up[i] = 0; true_slept[i] = 0; forget(i);
       in[i].held = 0; in[i].held_data = 0; in[i].held_id = 0; in[i].floor = 0; in[i].knows = 0; in[i].has_ledger = 0; in[i].used = 0; in[i].epoch = 0; in[i].asked = 0;
       in[i].untold = in[i].calls > 0 }
  :: d_step { !in[i].paused && pauses > 0 -> pauses--; in[i].paused = 1; printf("%d: falls asleep\n", i) }
  :: d_step { in[i].paused -> in[i].paused = 0; printf("%d: wakes up\n", i) }
  od
}

inline copy(TO, FROM) {
  TO.there = FROM.there; TO.foreign = FROM.foreign; TO.open_in = FROM.open_in; TO.epoch = FROM.epoch; TO.used = FROM.used;
  TO.away = FROM.away; TO.tat = FROM.tat; TO.stored = FROM.stored; TO.data = FROM.data; TO.id = FROM.id;
  for (k : 0 .. RECORDS - 1) {
    TO.flight[k].attempt = FROM.flight[k].attempt; TO.flight[k].token = FROM.flight[k].token; TO.flight[k].rest = FROM.flight[k].rest
  };
  for (k : 0 .. N - 1) { TO.told[k] = FROM.told[k] }
}

inline lose_control() {
  c.there = 0; c.foreign = 0; c.open_in = 0; c.epoch = 0; c.used = 0; c.away = 0; c.tat = 0;
  for (k : 0 .. RECORDS - 1) { drop(k) };
  for (k : 0 .. N - 1) { c.told[k] = 0 }
}

proctype World() {
end:
  do
  :: d_step { !ANY(HURRIED) && !behind ->
       for (k : 0 .. RECORDS - 1) { DOWN(c.flight[k].rest) };
       DOWN(c.tat);
       for (k : 0 .. N - 1) {
         if :: in[k].state != IDLE && in[k].age < LEASE -> in[k].age++ :: else fi;
         if :: in[k].has_ledger && in[k].asked < OLDEST -> in[k].asked++ :: else fi
       };
       printf("a tick; all who are awake look\n"); told = c.open_in;
       if :: !in[0].paused && !is_away -> look(0) :: else fi;
       if :: !in[1].paused && !is_away -> look(1) :: else fi;
#if N > 2
       if :: !in[2].paused && !is_away -> look(2) :: else fi;
#endif
#ifndef NO_OPENING
       if :: told > 0 && c.open_in == told && !LOSING && !is_away -> c.open_in-- :: else fi;   /* these looks were part of the grace */
#endif
       for (k : 0 .. N - 1) {
         if :: !LOSING && c.open_in == 0 && !in[k].knows -> true_absent[k] = 1 :: else fi;
         if :: (true_up[k] || in[k].state == GRANTED) && in[k].paused && !HOLDS(in[k].attempt) && !LOSING && c.open_in == 0 -> true_slept[k] = 1 :: else fi
       };
       k = 0 }

  :: d_step { upstream_data < NEWEST && !calm -> upstream_data++; printf("upstream has data time %d\n", upstream_data) }

  :: d_step { is_away -> is_away = 0; printf("the store is back\n") }
  :: d_step { outages > 0 && !is_away && !behind -> outages--; is_away = 1; printf("the store is away\n") }

  :: d_step { flushes > 0 && c.there && !behind -> flushes--; lose_control(); k = 0; printf("the control is lost\n") }
  :: d_step { flushes > 0 && c.there && !behind -> flushes--; lose_control(); c.stored = 0; c.data = 0; c.id = 0; printf("all keys are lost\n") }

  :: d_step { failovers > 0 && !behind && c.there && !c.foreign -> failovers--; behind = 1; true_settled_there = true_settled; copy(replica, c); k = 0; printf("the replica gets no more\n") }
  :: d_step { behind ->
       printf("the replica is the master\n");
       behind = 0; copy(c, replica); true_settled = true_settled_there; true_settled_there = 0;
#ifndef NO_STAMP
       c.foreign = 1;
#endif
       replica.there = 0; replica.open_in = 0; replica.epoch = 0; replica.used = 0; replica.away = 0; replica.tat = 0; replica.stored = 0;
       replica.data = 0; replica.id = 0; replica.foreign = 0;
       for (k : 0 .. RECORDS - 1) { replica.flight[k].attempt = 0; replica.flight[k].token = 0; replica.flight[k].rest = 0 };
       for (k : 0 .. N - 1) { replica.told[k] = 0 };
       k = 0 }

#ifdef RECOVERY
  :: d_step { !calm && !ANY(PAUSED) && !behind && !is_away ->
       calm = 1; true_goal = c.epoch;
       for (k : 0 .. N - 1) { true_goal = MAX(true_goal, MAX(in[k].held, in[k].token)) };
       flushes = 0; failovers = 0; outages = 0; crashes = 0; pauses = 0; losses = 0; olds = 0 }
#endif
  od
}

init {
  d_step {
    c.there = 1;
    for (k : 0 .. N - 1) { in[k].state = IDLE; in[k].outcome = NONE; in[k].knows = 1; in[k].has_ledger = 1 };
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
/* P6: with no more faults everybody gets a snapshot asked for since then, unless the ledger has the plan used up. */
ltl recovery { [] (calm -> <> (ALL(FRESH) || c.used >= PLAN)) }
#endif
