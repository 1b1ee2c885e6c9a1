/* The lock of algorithms/getset.cpp, for Spin, in the world of
 * `holdfast bench engine --only exclusion/CLIENTS-ROUNDS-ATTEMPTS-PAUSES-DELAY/getset`.
 * README.md says what is the same and what is not. Times are ticks of 10 ms since the beginning. */
#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 5 /* in each round, before a client gives up */
#endif
#ifndef PAUSES
#define PAUSES 1 /* clients that may stop in one run */
#endif
#ifndef DELAY
#define DELAY 0 /* a message travels for 0 to DELAY ticks */
#endif
#ifndef LEASE
#define LEASE 10
#endif
#ifndef PAUSE
#define PAUSE 20 /* a client stops for 1 to PAUSE ticks */
#endif
#define WORK 4
#define RETRY 3
#define NEVER 255

/* Variables go back to how they began when nobody will read them any more, for the sake of equal states. */
mtype = { starting, leaving, travelling, answered, retrying, working, stopped, finished };
mtype = { setnx, get, getset, del };

byte now;              /* what every wall clock shows */
byte key;              /* at the server: when the lease ends; 0: there is no key */
byte claims;           /* clients that believe that they hold the lock */
byte pauses = PAUSES;  /* that may still strike */
/* What a client waits for comes at any tick from the first time to the second. */
byte soonest[CLIENTS];
byte latest[CLIENTS];

#define IS_READY(i) (soonest[i] <= now)
#define MAY_WAIT(i) (latest[i] > now)
#define IS_OVER(i) (soonest[i] == NEVER)
#if CLIENTS == 1
#define ALL(hold) (hold(0))
#define ANY(hold) (hold(0))
#elif CLIENTS == 2
#define ALL(hold) (hold(0) && hold(1))
#define ANY(hold) (hold(0) || hold(1))
#elif CLIENTS == 3
#define ALL(hold) (hold(0) && hold(1) && hold(2))
#define ANY(hold) (hold(0) || hold(1) || hold(2))
#else
#define ALL(hold) (hold(0) && hold(1) && hold(2) && hold(3))
#define ANY(hold) (hold(0) || hold(1) || hold(2) || hold(3))
#endif

/* At the end of each step: where nothing can happen now, time goes on to what comes next. */
inline go_on_in_time() {
  do
  :: ANY(IS_READY) || ALL(IS_OVER) -> break
  :: else -> now++
  od;
  skip /* a step does not end with the end of a loop */
}

inline wait(what, first, last) {
  at = what;
  soonest[me] = first;
  latest[me] = last;
}

/* A request leaves at once, unless its client may be stopped before. */
inline ask(what) {
  command = what;
  if
  :: pauses > 0 -> wait(leaving, 0, now)
  :: else -> wait(travelling, 0, now + DELAY)
  fi
}

inline acquire() {
  mine = now + LEASE;
  ask(setnx)
}

inline begin_round() {
  attempt = 0;
  mine = 0;
  if
  :: round == ROUNDS -> wait(finished, NEVER, NEVER)
  :: else -> round++; acquire()
  fi
}

inline granted() {
  printf("granted at %d\n", now);
  assert(claims == 0);
  claims++;
  command = setnx;
  attempt = 0;
  mine = 0;
  wait(working, now + WORK, now + WORK)
}

inline refused() {
  command = setnx;
  attempt++;
  if
  :: attempt < ATTEMPTS -> mine = 0; wait(retrying, now + RETRY, now + RETRY)
  :: else -> begin_round()
  fi
}

/* What the server does with the command. */
inline execute() {
  if
  :: command == setnx && key == 0 -> key = mine; reply = 1
  :: command == setnx && key != 0 -> reply = 0
  :: command == get -> reply = key
  :: command == getset -> reply = key; key = mine
  :: command == del -> key = 0
  fi
}

/* A client finds a lease over at the tick after its end. PLANTED: at its end; the comparison must notice. */
#ifdef PLANTED
#define IS_EXPIRED(end) (end != 0 && end <= now)
#else
#define IS_EXPIRED(end) (end != 0 && end < now)
#endif

/* The client, with the answer to its command. */
inline hear() {
  if
  :: command == setnx && reply == 1 -> reply = 0; granted()
  :: command == setnx && reply == 0 -> ask(get)
  :: command == get && !IS_EXPIRED(reply) -> reply = 0; refused()
  :: command == get && IS_EXPIRED(reply) ->
    seen = reply;
    reply = 0;
    ask(getset)
  :: command == getset && reply == seen -> seen = 0; reply = 0; granted()
  :: command == getset && reply != seen -> seen = 0; reply = 0; refused()
  :: command == del -> command = setnx; begin_round()
  fi
}

proctype Client(byte me) {
  mtype at = starting;
  mtype command = setnx;
  mtype before = starting;  /* it stopped */
  byte held;                /* the latest time of what it stopped before */
  byte round;
  byte attempt;
  byte mine;                /* the end of the lease that it asks for */
  byte seen;                /* what GET returned */
  byte reply;

end:
  do
  :: d_step { at == starting && IS_READY(me) -> begin_round(); go_on_in_time() }
  :: d_step { at == leaving && IS_READY(me) -> wait(travelling, 0, now + DELAY); go_on_in_time() }
  :: d_step { at == travelling && IS_READY(me) -> execute(); wait(answered, 0, now + DELAY); go_on_in_time() }
  :: d_step { at == answered && IS_READY(me) -> hear(); go_on_in_time() }
  :: d_step { at == retrying && IS_READY(me) -> acquire(); go_on_in_time() }
  :: d_step { at == working && IS_READY(me) -> claims--; ask(del); go_on_in_time() }
  :: d_step {
      pauses > 0 && IS_READY(me) && (at == leaving || at == answered || at == retrying || at == working) ->
      pauses--;
      before = at;
      held = latest[me];
      wait(stopped, now + 1, now + PAUSE);
      go_on_in_time()
    }
  :: d_step {
      at == stopped && IS_READY(me) ->
      wait(before, 0, held);
      before = starting;
      held = 0;
      go_on_in_time()
    }
  od
}

/* Time may pass while something is ready that need not happen yet. */
proctype Time() {
end:
  do
  :: d_step { ANY(IS_READY) && ALL(MAY_WAIT) -> printf("waits\n"); now++; go_on_in_time() }
  od
}

init {
  byte i;
  atomic {
    do
    :: i < CLIENTS -> run Client(i); i++
    :: else -> break
    od;
    i = 0;
    run Time()
  }
}
