'use strict';

// The child process of one contender. The parent sends run, check and end; each is answered.

const { measure } = require('./measure');

async function main() {
  const { table, contender, ...parameters } = JSON.parse(process.argv[2]);
  const { contenders, compare } = require(`./${table}`);
  const { checked, open } = contenders[contender];
  const source = await open(parameters);

  const tasks = {
    async run() {
      const { result, ...sample } = await measure(source.read);
      return { ...sample, documents: result.length };
    },

    async check() {
      const result = await (source.collect ?? source.read)();
      if (!checked) return { documents: result.length };
      const official = await contenders.official.open(parameters);
      try {
        compare(contenders[contender], result, await official.read());
        return { documents: result.length, equal: true };
      } finally {
        await official.close();
      }
    },

    async end() {
      await source.close();
      process.disconnect(); // nothing else may keep this process alive
    }
  };

  process.on('message', async ({ task }) => {
    try {
      const value = await tasks[task]();
      if (process.connected) process.send({ value });
    } catch (error) {
      process.send({ error: `${error.name}: ${error.message}` });
    }
  });
  process.send({ value: 'ready' });
}

main().catch((error) => {
  process.send({ error: `${error.name}: ${error.message}` }, () => process.exit(1));
});
