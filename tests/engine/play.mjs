/** Plays random games with the page's rules, in node or in a browser; test_everywhere.py plays them with Python's. */

const DECK = 98;

/** Returns for each plan a hash of every state of all its games, in hexadecimal. `modules`: WebAssembly by game. */
export async function play({ Eko, Ekko, EkkoPosition }, modules, plans) {
  const [eko, ekko] = [new Eko(modules.eko), new Ekko(modules.ekko)];
  const found = [];
  for (const plan of plans) {
    const games = Array.from({ length: plan.games }, (_, number) => {
      const draw = randomNumbers(plan.seed + number);
      return plan.start.game === 'eko' ? statesOfEko(eko, plan, draw) : statesOfEkko(ekko, EkkoPosition, plan, draw);
    });
    found.push(await hashed(await Promise.all(games.map(hashed))));
  }
  return found.map((hash) => [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** A linear congruential generator (Numerical Recipes): returns a function that draws a number below a bound. */
function randomNumbers(seed) {
  let number = seed;
  return (bound) => {
    number = (number * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((number * bound) / 2 ** 32);
  };
}

function statesOfEko(eko, { start, most }, draw) {
  const { layout, state } = eko.position(start);
  const states = [state];
  while (states.length <= most) {
    const now = { layout, state: states.at(-1) };
    const codes = eko.list(now);
    if (codes.length === 0) break;
    states.push(eko.perform(now, codes[draw(codes.length)]));
  }
  return states;
}

function statesOfEkko(ekko, EkkoPosition, { start, most }, draw) {
  const states = [ekko.position(start).state];
  while (states.length <= most) {
    const state = states.at(-1);
    const position = new EkkoPosition(ekko, state);
    if (position.phase === 'over') break;
    if (position.phase === 'deal') {
      states.push(ekko.perform(state, position.actor, shuffled(draw)));
      continue;
    }
    const codes = ekko.list(state);
    states.push(ekko.perform(state, position.actor, codes[draw(codes.length)]));
  }
  return states;
}

function shuffled(draw) {
  const order = Array.from({ length: DECK }, (_, place) => place + 1);
  for (let place = DECK - 1; place > 0; place--) {
    const other = draw(place + 1);
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
}

async function hashed(parts) {
  const whole = new Uint8Array(parts.reduce((all, { length }) => all + length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}
