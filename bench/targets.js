'use strict';

// What the speed check asks for. Each ratio is between medians of one run; at least `least` is wanted.

const wall = (medians, slow, fast) => ratio(medians[slow]?.wallMs, medians[fast]?.wallMs);
const delay = (medians, slow, fast) => ratio(medians[slow]?.delayMs, medians[fast]?.delayMs);
const ratio = (a, b) => (a === undefined || b === undefined ? undefined : a / b);

const first = [
  { name: 'find: times faster than mongodb', least: 5, of: (m) => wall(m, 'official', 'find') },
  { name: 'find: times faster than rumongo find', least: 2.5, of: (m) => wall(m, 'rumongo', 'find') },
  { name: 'findLazy, 2 fields: times faster than mongodb', least: 12, of: (m) => wall(m, 'official', 'findLazy') },
  { name: 'find: longest loop delay, times shorter than mongodb', least: 10, of: (m) => delay(m, 'official', 'find') }
];

const others = [
  { name: 'find: times faster than mongodb', least: 3, of: (m) => wall(m, 'official', 'find') }
];

/** @returns {{ name: string, least: number, value: number, reached: boolean }[]} those that the run measured */
function judge(set, medians) {
  return (set === 'mixed45' ? first : others)
    .map(({ name, least, of }) => ({ name, least, value: of(medians) }))
    .filter(({ value }) => value !== undefined)
    .map((target) => ({ ...target, reached: target.value >= target.least }));
}

module.exports = { judge };
