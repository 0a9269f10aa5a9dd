'use strict';

// Interleaved rounds: in each one every contender works once, so that what else the machine does hits all alike. One
// process per contender, so that none collects another's garbage.

const { TrialProcess } = require('./trial-process');
const { spread } = require('./report');
const { progress } = require('./command-line');

/**
 * @param {object} plan
 * @param {Record<string, object>} plan.contenders by name: { title, checked, optional }
 * @param {string[]} plan.names those that take part
 * @param {object} plan.parameters of trial.js, without the contender
 * @param {number} plan.count documents that each must see
 * @param {number} plan.rounds timed ones
 * @param {number} plan.warmup
 * @returns {Promise<{ samples: Record<string, object[]>, wrong: string[] }>} samples of those that did not fail
 */
async function runRounds({ contenders, names, parameters, count, rounds, warmup }) {
  const wrong = [];
  const trials = new Map();
  const samples = {};
  const fail = async (name, error) => {
    await trials.get(name)?.end();
    trials.delete(name);
    delete samples[name];
    const { title, optional } = contenders[name];
    if (optional) console.log(`\r  ${title}: left out (${error.message})`);
    else wrong.push(`${title}: ${error.message}`);
  };
  const each = async (note, act) => {
    for (const name of names) {
      if (!trials.has(name)) continue;
      progress(`  ${note}: ${contenders[name].title}`);
      await act(name, trials.get(name)).catch((error) => fail(name, error));
    }
  };

  for (const name of names) {
    progress(`  starting ${contenders[name].title}`);
    try {
      trials.set(name, await TrialProcess.start({ ...parameters, contender: name }));
      samples[name] = [];
    } catch (error) {
      await fail(name, error);
    }
  }
  const counted = (documents) => {
    if (documents !== count) throw new Error(`${documents} documents instead of ${count}`);
  };
  try {
    for (let round = 1; round <= warmup; round++) await each(`warm-up ${round} of ${warmup}`, (name, trial) => trial.run());
    for (let round = 1; round <= rounds; round++) {
      await each(`round ${round} of ${rounds}`, async (name, trial) => {
        const sample = await trial.run();
        counted(sample.documents);
        samples[name].push(sample);
      });
    }
    await each('checking', async (name, trial) => {
      const { documents, equal } = await trial.check();
      counted(documents);
      if (contenders[name].checked && !equal) throw new Error('not compared');
    });
  } finally {
    for (const trial of trials.values()) await trial.end();
    progress('');
  }
  return { samples, wrong };
}

const MEASURED = ['wallMs', 'cpuMs', 'delayMs', 'rssMB'];

/** Median, least and most of what was measured, by contender. */
function spreadsOf(samples) {
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [
    name, Object.fromEntries(MEASURED.map((key) => [key, spread(list.map((sample) => sample[key]))]))
  ]));
}

module.exports = { runRounds, spreadsOf };
