'use strict';

// Interleaved rounds: in each one every contender works once, so that what else the machine does hits all alike. One
// process per contender, so that none collects another's garbage.

const { TrialProcess } = require('./trial-process');
const { spread } = require('./report');
const { progress } = require('./command-line');

const leastRounds = 3; // when the time is up
const warmMs = 1_000; // of reading: whoever has done as much is warm, and further warm-up would only take time
// A fast reader needs more rounds for as much reading: V8 learns from what it has executed and from the collections it had.
const mostWarmup = 5; // times the rounds asked for

/**
 * @param {object} plan
 * @param {object[]} plan.contenders { name, title, optional, count, parameters, process }: parameters of trial.js and how
 * its process is started; count: documents that each run must see
 * @param {number} plan.rounds timed ones
 * @param {number} plan.warmup rounds of it: fewer for those that have read for a second, up to five times as many for those
 * that have not, unless there is a deadline
 * @param {number} [plan.deadline] of performance.now(): after it there is one round of warm-up, and as few as need be
 * @returns {Promise<{ samples: Record<string, object[]>, wrong: string[], left: string[] }>} samples of those that did
 * not fail; left: why optional ones have none
 */
async function runRounds({ contenders, rounds, warmup, deadline = Infinity }) {
  const wrong = [];
  const left = [];
  const trials = new Map();
  const samples = {};
  const fail = async ({ name, title, optional }, error) => {
    await trials.get(name)?.end();
    trials.delete(name);
    delete samples[name];
    (optional ? left : wrong).push(`${title}: ${error.message}`);
  };
  const each = async (note, act) => {
    for (const contender of contenders) {
      const trial = trials.get(contender.name);
      if (trial === undefined) continue;
      progress(`  ${note}: ${contender.title}`);
      await act(trial, contender).catch((error) => fail(contender, error));
    }
  };

  for (const contender of contenders) {
    progress(`  starting ${contender.title}`);
    try {
      trials.set(contender.name, await TrialProcess.start(contender.parameters, contender.process));
      samples[contender.name] = [];
    } catch (error) {
      await fail(contender, error);
    }
  }
  const counted = (documents, { count }) => {
    if (documents !== count) throw new Error(`${documents} documents instead of ${count}`);
  };
  try {
    const warm = new Map(); // trial -> { wallMs: of its last warm-up, total }
    const most = deadline === Infinity ? warmup * mostWarmup : warmup;
    for (let round = 1; round <= most; round++) {
      if (round > 1 && performance.now() > deadline) break;
      await each(`warm-up ${round} of at most ${most}`, async (trial) => {
        const total = warm.get(trial)?.total ?? 0;
        if (total >= warmMs) return;
        const { wallMs } = await trial.run();
        warm.set(trial, { wallMs, total: total + wallMs });
      });
    }
    const all = rounds * times(Math.max(0, ...[...warm.values()].map(({ wallMs }) => wallMs)));
    for (let round = 1; round <= all; round++) {
      if (round > leastRounds && performance.now() > deadline) break;
      await each(`round ${round} of ${all}`, async (trial, contender) => {
        const sample = await trial.run();
        counted(sample.documents, contender);
        samples[contender.name].push(sample);
      });
    }
    await each('checking', async (trial, contender) => {
      const { documents, compared } = await trial.check();
      counted(documents, contender);
      if (compared === 0) throw new Error('no document was compared');
    });
  } finally {
    for (const trial of trials.values()) await trial.end();
    progress('');
  }
  return { samples, wrong, left };
}

// A round of a few milliseconds is to a large part one unlucky wake-up: more rounds then.
const times = (wallMs) => (wallMs < 5 ? 5 : wallMs < 20 ? 2 : 1);

const MEASURED = ['wallMs', 'cpuMs', 'delayMs', 'gcMs', 'gcPauseMs', 'rssMB', 'threadMs', 'outMB'];

/** Median, least and most of what was measured, by contender; the p99 loop delay is that of all rounds together. */
function spreadsOf(samples) {
  return Object.fromEntries(Object.entries(samples).filter(([, list]) => list.length > 0).map(([name, list]) => {
    const measured = MEASURED.filter((key) => list[0][key] != null);
    const spreads = Object.fromEntries(measured.map((key) => [key, spread(list.map((sample) => sample[key]))]));
    const gaps = list.flatMap((sample) => sample.gaps ?? []).sort((a, b) => a - b);
    if (gaps.length > 0) spreads.p99DelayMs = gaps[Math.min(gaps.length - 1, Math.ceil(gaps.length * 0.99) - 1)];
    spreads.rounds = list.length;
    return [name, spreads];
  }));
}

module.exports = { runRounds, spreadsOf };
