/*
 * The ledger and the lives of the control: the store loses it, goes back to an earlier one, or is away.
 *
 * Decisions: begin, finish, restore, look. Each is read and decided in one step and committed in another, as in lease.pml.
 * One resource and the account, one call in flight (b = 1). lease.pml has the resource's own pace and back-off; here the
 * rate limit is the pace. Time, tokens and `true_` as in lease.pml.
 *
 * Faults, each as often as -D says: FLUSH (control and snapshot, or the control alone), FAILOVER (the writes since some
 * moment of this tick are undone), AWAY (nobody reaches the store, for any time), CRASH, PAUSE, LOST (a reply to finish),
 * OLDER (an older copy in upstream's answer). EVIDENCE: how often the account may be asked. OTHERS: calls that others make
 * with the same key. OFFLINE: calls without the store that each instance may make; they are counted on its disk, which
 * survives a crash.
 *
 * STRICT judges what the protocol does not promise as well: a rollback that others have caught up with before anybody who
 * saw more looks again, and calls of a member that nobody else has seen and that vanishes with the control.
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
#ifndef EVIDENCE
#define EVIDENCE 0
#endif
#ifndef OTHERS
#define OTHERS 0
#endif
#ifndef OFFLINE
#define OFFLINE 0
#endif

#define LEASE    3
#define SLACK    1
#define CALL_END 2
#define GRACE    1              /* looks of everybody who is there */
#define GAP      1              /* ticks between two grants, after the first b; also the pace */
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

/* What missing members may have spent after the newest witness last saw the control, `unseen` ticks before the next life. */
#if defined(NO_LOST_SHARE)
#define SHARE(unseen) 0
#elif defined(NO_PACE_SHARE)
#define SHARE(unseen) B
#else
#define SHARE(unseen) (B + (unseen) / GAP)
#endif

mtype = { IDLE, ASKING, GRANTED, CALLING, FINISHING };
mtype = { NONE, FETCHED, TOLD, OLD, UNSENT };
mtype = { FETCH, NEWER, BUSY, PACED, EXHAUSTED, LOST_CONTROL, STORED, FENCED, OLDER_DATA, NOTED, WAIT };

typedef Record { byte attempt; byte token; byte rest };

typedef Control {
  bit there;
  byte open_in; byte epoch;
  byte counted; byte inherited; /* calls of known attempts; those of them that witnesses of earlier lives brought in */
  byte assumed; byte external;
  byte evidence;                /* upstream's count as last heard; it only grows, so it tells which of two is newer */
  bit known;                    /* some witness knew what the month had cost */
  byte missing;                 /* a bit for each name that has not testified in this life */
  byte unseen;                  /* ticks from the newest witness's last sight to this life's beginning */
  byte told_assumed;            /* the most that a witness still had to assume */
  byte tat;                     /* ticks until the rate limit lets the next one pass */
  Record flight[RECORDS];
  byte told[N];                 /* calls without the store, by instance */
  byte stored; byte data; byte id   /* the snapshot, a key of its own: token, data time, and whose attempt it was */
};
Control c;
Control replica, nothing;
bit behind;                     /* the replica gets nothing any more, and will be the master in this tick */
byte lag;                       /* commits that it did not get */
bit is_away;
bit elapsed;                    /* a tick of the grace is over once those who looked in it have testified */
bit ghosts;                     /* there were members under names that nobody has now */

typedef Instance {
  mtype state; byte attempt; byte token; byte age; mtype outcome; byte result;
  bit account; byte base;       /* it asks the account; calls of the fleet that upstream's count contains for certain */
  byte held; byte held_data; byte held_id;
  byte floor;                   /* the highest token adopted that the store has drawn */
  bit knows;                    /* the birth of the present life */
  byte ahead;                   /* commits it has seen that the replica lacks; after a rollback: how much higher the version was */
  bit has_ledger; byte counted; byte assumed; byte external; byte epoch; byte asked;   /* the shadow, and its age */
  byte calls; bit untold;       /* without the store; the store has yet to hear of some */
  bit offline;                  /* the call under way is one of those */
  bit sees;                     /* it has read the control, and nobody has committed since */
  bit restores;                 /* it testifies before it does anything else */
#ifdef NO_LATEST
  byte waited;                  /* ticks since its read */
#endif
  bit paused
};
Instance in[N];

byte upstream_data = 1;
byte drawn;
bit calm;
byte flushes = FLUSH, failovers = FAILOVER, outages = AWAY, crashes = CRASH, pauses = PAUSE, losses = LOST, olds = OLDER,
     questions = EVIDENCE, others = OTHERS;

byte true_calls;
byte true_others, true_known;   /* calls of others; those of them that upstream's count has told of */
byte true_told[N];              /* those that an answer under way tells of */
bit true_blind;                 /* what STRICT judges has happened */
#ifdef STRICT
bit true_newcomer[N];           /* nobody else has seen it yet */
#endif
bit true_up[N];
bit true_absent[N];             /* slept through the grace, and has not been heard since */
bit true_slept[N];
bit true_unknown;               /* the control was made anew by those who knew nothing of the month: the blank share is a guess */
int true_settled, true_settled_there;   /* a bit for each attempt, in the control and in the replica */
byte true_goal;

hidden byte k, j, place, live, oldest, lost, grant, before; hidden mtype reply;

#define LIVE(x)    (c.flight[x].attempt != 0 && c.flight[x].rest > 0)
#define HAS(x, a)  (c.flight[x].attempt == (a) && c.flight[x].rest > 0)
#define HOLDS(a)   (HAS(0, a) || HAS(1, a) || HAS(2, a))
#define KNOWN(x, a) (c.flight[x].attempt == (a))
#define RECORDED(a) (KNOWN(0, a) || KNOWN(1, a) || KNOWN(2, a))
#define AT_WORK(i) (true_up[i] && !true_slept[i] && !in[i].offline)
#define BOOKED     (c.counted + c.assumed + c.external)
#define SHADOW(i)  (in[i].counted + in[i].assumed + in[i].external)
#define GHOST      (1 << N)
#ifdef NO_LATEST
#define WAITED(i)  in[i].waited
#else
#define WAITED(i)  0
#endif
#ifdef STRICT
#define UNJUDGED   false
#define SEEN(i)    (!true_newcomer[i])
#else
#define UNJUDGED   true_blind
#define SEEN(i)    true
#endif
#ifdef NO_ROLLBACK
#define ROLLED_BACK(i) false
#else
#define ROLLED_BACK(i) (!behind && in[i].ahead > 0)
#endif
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
#define IS_AHEAD(i) (in[i].ahead > 0)
#define FRESH(i)   (in[i].held > true_goal)
#define TELLS(i)   (!in[i].paused && in[i].restores && !is_away)
#define HURRIED(i) (TELLS(i) || calm && (in[i].sees || true_up[i]) || !in[i].paused && (in[i].state == ASKING && !is_away \
                    || in[i].state == GRANTED || (in[i].state == CALLING && true_up[i] && in[i].age >= CALL_END)))
/* P1: so many calls more are within the ledger. A call of the account may find out that the plan is not spent. */
#define WITHIN(i, more) (UNJUDGED || true_unknown || in[i].account || true_calls + (more) + true_known - SUM(UNTOLD) <= BOOKED)

/* ------------------------------------------------------------------ parts of decisions */

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
inline remember(I) {
  true_absent[I] = 0; in[I].knows = 1; in[I].has_ledger = 1;
  in[I].counted = c.counted; in[I].assumed = c.assumed; in[I].external = c.external;
  in[I].epoch = (OFFLINE > 0 -> c.epoch : 0); in[I].asked = 0; in[I].ahead = (behind -> lag : 0);
#ifdef STRICT
  for (k : 0 .. N - 1) { true_newcomer[k] = true_newcomer[k] && k == I };
#endif
  k = 0
}

/* A read is made now. */
inline reads(I) {
  in[I].sees = 1;
#ifdef NO_LATEST
  in[I].waited = 0;
#endif
  skip
}

inline forget(I) {
  in[I].state = IDLE; in[I].attempt = 0; in[I].token = 0; in[I].age = 0; in[I].outcome = NONE; in[I].result = 0;
  in[I].account = 0; in[I].base = 0; in[I].offline = 0; true_slept[I] = 0; true_told[I] = 0
}

#define LOST_TO(i) (!c.there || ROLLED_BACK(i))
#if defined(NO_BIRTH)
#define LOSES(i) LOST_TO(i)
#elif defined(NO_TOLD_TOKENS)
#define LOSES(i) (LOST_TO(i) || !in[i].knows)
#else
#define LOSES(i) (LOST_TO(i) || !in[i].knows || in[i].floor > c.epoch)
#endif

/* Another life: whoever knew the one before does not know this one, and its versions are not compared with this one's. */
inline new_life(I) {
  c.there = 1; c.open_in = (GRACE > WAITED(I) -> GRACE - WAITED(I) : 0); c.inherited = c.counted;
  c.known = 0; c.missing = (ghosts -> GHOST : 0); c.unseen = OLDEST; c.told_assumed = 0;
  for (k : 0 .. N - 1) { in[k].knows = 0; in[k].ahead = 0; if :: SEEN(k) -> c.missing = c.missing | (1 << k) :: else fi }
}

/* A commit is done: the version goes up, and what others have read is the present control no more. */
inline committed(I) {
  for (k : 0 .. N - 1) {
    in[k].sees = 0;
    if :: !behind && in[k].ahead > 0 -> in[k].ahead--; true_blind = true_blind || k != I :: else fi
  };
  if :: behind -> lag++ :: else fi
}

/* ------------------------------------------------------------------ decisions */

/* The ledger as another life's memory has it. */
inline hear_ledger(I) {
  before = c.known || c.open_in > 0;
  c.missing = c.missing & ~(1 << I);
  if
  :: in[I].has_ledger ->
     if :: c.open_in > 0 -> true_unknown = 0 :: else fi;
     c.known = 1; c.unseen = MIN(c.unseen, in[I].asked); c.told_assumed = MAX(c.told_assumed, in[I].assumed);
#ifdef NO_INHERITED
     c.counted = MAX(c.counted, in[I].counted);
#else
     if :: in[I].counted > c.inherited -> c.counted = c.counted + in[I].counted - c.inherited; c.inherited = in[I].counted :: else fi;
#endif
     if :: c.evidence == 0 -> c.external = MAX(c.external, in[I].external) :: else fi
  :: else
  fi;
  if
  :: before && c.known ->
     lost = SHARE(c.unseen);
#ifndef NO_ALL_HEARD
     if :: c.missing == 0 -> lost = 0 :: else fi;
#endif
     lost = MIN(c.told_assumed + lost, (c.counted + c.external >= PLAN -> 0 : PLAN - c.counted - c.external));
     before = c.assumed;
     if
     :: c.open_in > 0 || lost < c.assumed -> c.assumed = lost
#ifdef NO_ASSUME_ONCE
     :: c.open_in == 0 && lost >= c.assumed -> c.assumed = c.assumed + lost
#endif
     :: else
     fi;
     assert(c.open_in > 0 || c.assumed <= before);                      /* nothing is assumed twice */
     assert(c.missing > 0 || c.assumed <= c.told_assumed)               /* a loss that nobody vanished in costs nothing */
  :: else
  fi
}

inline restore(I) {
  printf("%d: restore, %d counted\n", I, in[I].counted);
  if
  :: !c.there -> new_life(I); c.tat = (B - 1) * GAP; true_unknown = !in[I].has_ledger
  :: c.there && ROLLED_BACK(I) -> new_life(I)
  :: else
  fi;
#ifdef NO_GRACE
  c.open_in = 0;
#endif
#ifndef NO_TOLD_TOKENS
  c.epoch = MAX(c.epoch, MAX(in[I].floor, in[I].held));
#endif
  if :: !in[I].knows -> hear_ledger(I) :: else fi;
#ifndef NO_REINSTATE
  /* The call that may still be made or is under way; not one that has ended. */
#ifdef NO_ONLY_RUNNING
  if :: in[I].state != IDLE && in[I].state != ASKING && !in[I].offline && in[I].age < LEASE && !RECORDED(in[I].attempt) ->
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
  if :: in[I].untold -> c.counted = c.counted + in[I].calls; c.told[I] = in[I].calls :: else fi;
#else
  if :: in[I].calls > c.told[I] -> c.counted = c.counted + in[I].calls - c.told[I]; c.told[I] = in[I].calls :: else fi;
#endif
  in[I].untold = 0; committed(I);
  assert(FLUSH + FAILOVER > 0 || c.counted <= drawn + SUM(OFFLINE_CALLS));   /* told twice, counted once */
  remember(I)
}

/* What begin answers where nothing changes; NONE: there is a grant to commit. */
inline ask(I) {
  reply = NONE; live = 0;
  for (k : 0 .. RECORDS - 1) { if :: LIVE(k) -> live++ :: else fi };
  if :: LOSES(I) -> reply = LOST_CONTROL :: else fi;
  if :: reply == NONE && !in[I].account && c.stored != 0 && BEATS(c.stored, c.data, in[I].held, in[I].held_data) -> reply = NEWER :: else fi;
  if :: reply == NONE && (c.open_in > 0 || c.tat > 0) -> reply = PACED :: else fi;
  if :: reply == NONE && live > 0 -> reply = BUSY :: else fi;
  /* The account may be asked while the plan only seems spent. */
  if :: reply == NONE && BOOKED >= PLAN && !(in[I].account && c.counted < PLAN) -> reply = EXHAUSTED :: else fi
}

inline begin(I) {
  make_room(); live = 0;
  for (k : 0 .. RECORDS - 1) { if :: c.flight[k].attempt != 0 -> live++ :: else fi };
#ifdef NO_TOLD_TOKENS
  grant = c.epoch + 1;
#else
  grant = MAX(c.epoch, c.stored) + 1;
#endif
  /* Whatever anybody who is there holds is older: else his peers would refuse what is fetched now. */
#if TOLD_ALL
  for (k : 0 .. N - 1) { assert(UNJUDGED || in[k].paused || !in[k].knows || grant > in[k].held) };
#endif
  c.epoch = grant; c.counted++; c.tat = (GAP > WAITED(I) -> GAP - WAITED(I) : 0); drawn++;
  assert(WITHIN(I, SUM(PENDING) + 1));                                  /* P1: reserved before it is spent */
  assert(in[I].account || BOOKED <= PLAN);
  c.flight[place].attempt = drawn; c.flight[place].token = c.epoch; c.flight[place].rest = LEASE - WAITED(I);
  in[I].state = GRANTED; in[I].attempt = drawn; in[I].token = c.epoch; in[I].age = WAITED(I);
  in[I].base = (in[I].account -> c.counted - live : 0)
}

/* Upstream's own count replaces what was only assumed, and books what others have spent. */
inline hear_upstream(I, COUNT) {
#ifdef NO_EVIDENCE_TIME
  for (k : 0 .. RECORDS - 1) { if :: c.flight[k].attempt != 0 -> live++ :: else fi };
  grant = c.counted - live;
#else
  grant = in[I].base;
#endif
  if
#ifdef NO_EVIDENCE_ORDER
  :: true ->
#else
  :: COUNT > c.evidence ->
#endif
     c.evidence = COUNT; c.external = (COUNT > grant -> COUNT - grant : 0); c.missing = 0; c.told_assumed = 0;
#ifndef NO_EVIDENCE
     c.assumed = 0;
#endif
     true_known = MAX(true_known, true_told[I])
  :: else
  fi
}

inline finish(I, ATT, TOK, OUT, DAT) {
  reply = NOTED;
  find(ATT);
  if
  :: place < RECORDS ->
     assert(!(true_settled & (1 << (ATT)))); true_settled = true_settled | (1 << (ATT));   /* settled once */
     if :: OUT == UNSENT -> c.counted-- :: else fi;
     drop(place); live = 0;
     if :: OUT == TOLD -> hear_upstream(I, DAT) :: else fi
  :: else
  fi;
  if
  :: OUT == FETCHED && TOK == c.stored && ATT == c.id -> reply = STORED
  :: OUT == FETCHED && BEATS(TOK, DAT, c.stored, c.data) ->
     /* A memory that is there isn't ahead of what a late answer writes. */
#if TOLD_ALL
     for (k : 0 .. N - 1) { assert(UNJUDGED || in[k].paused || true_absent[k] || DAT >= in[k].held_data) };
#endif
     keep(TOK, DAT, ATT); reply = STORED
  :: OUT == FETCHED && (TOK < c.stored || (TOK == c.stored && ATT != c.id)) -> reply = FENCED
  :: else
  fi
}

inline read(I) { if :: c.stored > 0 -> adopt(I, c.stored, c.data, c.id, 1) :: else fi }

/* Writes nothing. An instance that knows more than the control testifies. */
inline look(I) {
  if
  :: LOSES(I) -> in[I].restores = 1; reads(I)
  :: else ->
     remember(I);
     if :: in[I].untold || (in[I].held != 0 && BEATS(in[I].held, in[I].held_data, c.stored, c.data)) -> in[I].restores = 1; reads(I) :: else fi;
     read(I)
  fi
}

/* ------------------------------------------------------------------ instances */

/* A call leaves. */
inline leave(I) {
  in[I].state = CALLING; true_up[I] = 1; true_calls++
}

#define REACHES(i)    (!in[i].paused && !is_away)
#define MAY_FINISH(i) (REACHES(i) && in[i].state == FINISHING && !in[i].restores && in[i].sees)

proctype Instance_(byte i) {
end:
  do
  :: d_step { in[i].restores && REACHES(i) && !in[i].sees -> reads(i) }
  :: d_step { in[i].restores && REACHES(i) && in[i].sees -> in[i].restores = 0; restore(i) }

  /* The right to fetch: read and decided; what changes nothing is answered. */
  :: atomic { in[i].state == IDLE && REACHES(i) && !in[i].restores ->
       if
       :: !(calm && questions > 0 && c.assumed > 0) -> in[i].account = 0
       :: questions > 0 -> in[i].account = 1
       fi;
       d_step {
         ask(i);
         if
         /* Nothing is granted on a ledger that lacks what this instance has spent. */
         :: reply == LOST_CONTROL || in[i].untold -> in[i].restores = 1; in[i].account = 0; reads(i)
         :: reply == NONE && !in[i].untold -> in[i].state = ASKING; reads(i)
         :: else -> if :: reply == NEWER -> read(i) :: else fi; remember(i); in[i].account = 0
         fi } }
  :: d_step { in[i].state == ASKING && REACHES(i) && in[i].sees ->
       committed(i); begin(i); printf("%d: begin: token %d\n", i, c.epoch); questions = questions - in[i].account; remember(i) }
  /* ... others were faster: read and decided again, or given up */
  :: d_step { in[i].state == ASKING && !in[i].paused && !in[i].sees -> forget(i) }
  :: d_step { in[i].state == GRANTED && !in[i].paused ->
       if
       :: in[i].age > SLACK -> in[i].state = FINISHING; in[i].outcome = UNSENT
       :: else ->
          leave(i); printf("%d: calls under token %d\n", i, in[i].token);
          /* P1; a control that is lost, being rebuilt or rolled back is judged when it grants again. */
          assert(!c.there || c.open_in > 0 || !behind && SUM(IS_AHEAD) > 0 || WITHIN(i, 0));
          assert(UNJUDGED || SUM(AT_WORK) <= B)                         /* the cap */
       fi }
  /* Without the store: the number, and what may have been used by now. The count is on the disk before the call leaves. */
#if OFFLINE > 0
  :: d_step { in[i].state == IDLE && !in[i].paused && is_away && in[i].has_ledger && in[i].calls < OFFLINE &&
#ifdef NO_OFFLINE_CALL_OF_ALL
              SHADOW(i) + B + in[i].asked / GAP + in[i].calls * N < PLAN ->
#else
              SHADOW(i) + B + in[i].asked / GAP + (in[i].calls + 1) * N <= PLAN ->
#endif
       in[i].calls++; in[i].untold = 1; in[i].age = 0; in[i].offline = 1; in[i].token = MAX(in[i].held, MAX(in[i].floor, in[i].epoch)) + 1;
       leave(i); printf("%d: calls without the store, call %d of all\n", i, true_calls);
       assert(true_calls <= PLAN) }                                     /* P1: nobody calls beyond the plan without the store */
#endif
  /* Upstream answers, whoever sleeps. */
  :: atomic { in[i].state == CALLING && true_up[i] ->
       if
       :: in[i].account -> in[i].outcome = TOLD; in[i].result = true_calls + true_others; true_told[i] = true_others
       :: !in[i].account -> in[i].outcome = FETCHED; in[i].result = upstream_data
       :: !in[i].account && olds > 0 && upstream_data > 1 -> olds--; in[i].outcome = FETCHED; in[i].result = upstream_data - 1
       fi;
       true_up[i] = 0; printf("%d: upstream answers %e, %d\n", i, in[i].outcome, in[i].result) }
  :: d_step { in[i].state == CALLING && !in[i].paused && !true_up[i] ->
       if :: in[i].outcome == FETCHED && in[i].result < in[i].held_data -> in[i].outcome = OLD :: else fi;
       if
       :: in[i].offline -> if :: in[i].outcome == FETCHED -> adopt(i, in[i].token, in[i].result, 0, 0) :: else fi; forget(i)
       :: else -> in[i].state = FINISHING
       fi }
  :: d_step { in[i].state == CALLING && !in[i].paused && true_up[i] && in[i].age >= CALL_END && !calm ->
       true_up[i] = 0; true_slept[i] = 0; if :: in[i].offline -> forget(i) :: else -> in[i].state = FINISHING; in[i].outcome = OLD fi }

  :: d_step { in[i].state == FINISHING && REACHES(i) && !in[i].restores && !in[i].sees &&
#ifndef NO_FINISH_WAITS
              !(c.there && in[i].knows && c.open_in > 0) &&
#endif
              true ->
       in[i].restores = LOSES(i); reads(i) }
  :: d_step { MAY_FINISH(i) ->
       committed(i); finish(i, in[i].attempt, in[i].token, in[i].outcome, in[i].result);
       printf("%d: finish of token %d: %e\n", i, in[i].token, reply);
       if :: in[i].outcome == FETCHED && reply == STORED -> adopt(i, in[i].token, in[i].result, in[i].attempt, 1) :: else -> read(i) fi;
       forget(i); remember(i) }
  :: d_step { MAY_FINISH(i) && losses > 0 ->
       losses--; committed(i); finish(i, in[i].attempt, in[i].token, in[i].outcome, in[i].result);
       printf("%d: finish of token %d: its reply is lost\n", i, in[i].token) }
  /* Can't be told in the time that makes sense. */
  :: d_step { in[i].state == FINISHING && !in[i].paused && (is_away || losses > 0) ->
       printf("%d: can't tell of token %d\n", i, in[i].token);
       if :: !is_away -> losses-- :: else fi;
       if :: in[i].outcome == FETCHED -> adopt(i, in[i].token, in[i].result, in[i].attempt, 1) :: else fi;
       forget(i); in[i].sees = 0 }

  :: d_step { !in[i].paused && crashes > 0 ->
       printf("%d: is killed\n", i);
       crashes--; true_up[i] = 0; forget(i);
       /* Another process, under another name. */
#ifndef NO_NEW_NAME
       if :: c.missing & (1 << i) -> c.missing = (c.missing & ~(1 << i)) | (SEEN(i) -> GHOST : 0) :: else fi;
       ghosts = ghosts || SEEN(i);
#endif
       true_blind = true_blind || (!behind && in[i].ahead > 0 && SUM(IS_AHEAD) == 1);
       in[i].held = 0; in[i].held_data = 0; in[i].held_id = 0; in[i].floor = 0; in[i].knows = 0; in[i].has_ledger = 0; in[i].ahead = 0;
       in[i].counted = 0; in[i].assumed = 0; in[i].external = 0; in[i].epoch = 0; in[i].asked = 0; in[i].sees = 0; in[i].restores = 0;
       in[i].untold = in[i].calls > 0 }
  :: d_step { !in[i].paused && pauses > 0 -> pauses--; in[i].paused = 1; printf("%d: falls asleep\n", i) }
  :: d_step { in[i].paused -> in[i].paused = 0; printf("%d: wakes up\n", i) }
  od
}

inline copy(TO, FROM) {
  TO.there = FROM.there; TO.open_in = FROM.open_in; TO.epoch = FROM.epoch;
  TO.counted = FROM.counted; TO.inherited = FROM.inherited; TO.assumed = FROM.assumed; TO.external = FROM.external; TO.evidence = FROM.evidence;
  TO.known = FROM.known; TO.missing = FROM.missing; TO.unseen = FROM.unseen; TO.told_assumed = FROM.told_assumed;
  TO.tat = FROM.tat; TO.stored = FROM.stored; TO.data = FROM.data; TO.id = FROM.id;
  for (k : 0 .. RECORDS - 1) {
    TO.flight[k].attempt = FROM.flight[k].attempt; TO.flight[k].token = FROM.flight[k].token; TO.flight[k].rest = FROM.flight[k].rest
  };
  for (k : 0 .. N - 1) { TO.told[k] = FROM.told[k] }
}

/* The control is gone; the snapshot is a key of its own. */
inline lose_control() {
  place = c.stored; j = c.data; oldest = c.id;
  copy(c, nothing);
  c.stored = place; c.data = j; c.id = oldest; j = 0;
  elapsed = 0;
  for (k : 0 .. N - 1) { in[k].sees = 0; in[k].ahead = 0 }
}

/* Who slept through the grace, and whose call is under way while nobody knows of it. */
inline judge_sleepers() {
  for (k : 0 .. N - 1) {
    if :: c.there && (c.open_in == 0 || elapsed) && !in[k].knows && in[k].paused -> true_absent[k] = 1 :: else fi;
    if :: (true_up[k] || in[k].state == GRANTED) && in[k].paused && !HOLDS(in[k].attempt) && c.there && (c.open_in == 0 || elapsed) -> true_slept[k] = 1 :: else fi
  }
}

proctype World() {
end:
  do
  :: d_step { !ANY(HURRIED) && !behind && !elapsed ->
       for (k : 0 .. RECORDS - 1) { DOWN(c.flight[k].rest) };
       DOWN(c.tat);
       for (k : 0 .. N - 1) {
#ifdef NO_LATEST
         if :: in[k].sees && in[k].waited < LEASE -> in[k].waited++ :: else fi;
#else
         in[k].sees = 0;                                                /* whatever was read before is too old to be committed */
#endif
         if :: in[k].state != IDLE && in[k].state != ASKING && in[k].age < LEASE -> in[k].age++ :: else fi;
         /* Once another life has begun, a memory of the one before tells how long before that it was. */
         if :: in[k].has_ledger && (!c.there || in[k].knows) && in[k].asked < OLDEST -> in[k].asked++ :: else fi
       };
       printf("a tick; all who are awake look\n");
       if :: !in[0].paused && !is_away -> look(0) :: else fi;
       if :: !in[1].paused && !is_away -> look(1) :: else fi;
#if N > 2
       if :: !in[2].paused && !is_away -> look(2) :: else fi;
#endif
       elapsed = c.there && c.open_in > 0 && !is_away;                  /* these looks are part of the grace */
       judge_sleepers(); k = 0 }
  :: d_step { elapsed && !ANY(TELLS) ->
       elapsed = 0;
#ifndef NO_OPENING
       c.open_in--;
#endif
       /* Once everybody has testified no decision reads these again. */
       if :: c.open_in == 0 && c.missing == 0 -> c.inherited = 0; c.unseen = 0; c.told_assumed = 0 :: else fi;
       judge_sleepers(); k = 0 }

  :: d_step { upstream_data < NEWEST && !calm -> upstream_data++; printf("upstream has data time %d\n", upstream_data) }

  :: d_step { is_away -> is_away = 0; printf("the store is back\n") }
  :: d_step { outages > 0 && !is_away && !behind -> outages--; is_away = 1; elapsed = 0; printf("the store is away\n") }

  :: d_step { flushes > 0 && c.there && !behind -> flushes--; lose_control(); k = 0; printf("the control is lost\n") }
  :: d_step { flushes > 0 && c.there && !behind -> flushes--; lose_control(); c.stored = 0; c.data = 0; c.id = 0; k = 0; printf("all keys are lost\n") }

  :: d_step { failovers > 0 && !behind && c.there ->
       failovers--; behind = 1; lag = 0; true_settled_there = true_settled; copy(replica, c); k = 0; printf("the replica gets no more\n") }
  :: d_step { behind ->
       printf("the replica is the master\n");
       true_blind = true_blind || (lag > 0 && SUM(IS_AHEAD) == 0);
       behind = 0; lag = 0; copy(c, replica); copy(replica, nothing); true_settled = true_settled_there; true_settled_there = 0;
       for (k : 0 .. N - 1) { in[k].sees = 0 };
       k = 0 }

  :: d_step { others > 0 && !calm -> others--; true_others++; printf("somebody else calls with the same key\n") }

#ifdef RECOVERY
  :: d_step { !calm && !ANY(PAUSED) && !behind && !is_away ->
       calm = 1; true_goal = c.epoch;
       for (k : 0 .. N - 1) { true_goal = MAX(true_goal, MAX(in[k].held, in[k].token)) };
       flushes = 0; failovers = 0; outages = 0; crashes = 0; pauses = 0; losses = 0; olds = 0; questions = 1 }
#endif
  od
}

init {
  d_step {
    c.there = 1; c.known = 1;
#ifdef STRICT
    true_newcomer[0] = 1;
#endif
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
/* P6: with no more faults everybody gets a snapshot asked for since then, unless the plan is used up: not only assumed to be. */
ltl recovery { [] (calm -> <> (ALL(FRESH) || c.counted + c.external >= PLAN)) }
#endif
