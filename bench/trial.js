'use strict';

// The child process of one reader and one set. The parent sends run, check and end; each is answered.

const { readers } = require('./readers');
const { measure } = require('./measure');
const { checkDocuments } = require('./check');

async function main() {
  const { uri, database, set, fields, reader } = JSON.parse(process.argv[2]);
  const { kind, checked, open } = readers[reader];
  const source = await open(uri, database, set, fields);

  const tasks = {
    async run() {
      const { result, ...sample } = await measure(source.read);
      return { ...sample, documents: result.length };
    },

    async check() {
      const result = await (source.collect ?? source.read)();
      if (!checked) return { documents: result.length };
      const official = await readers.official.open(uri, database, set);
      try {
        const documents = Array.isArray(result) ? result : result.documents;
        checkDocuments(documents, await official.read(), { plain: kind === 'eager' });
        return { documents: documents.length, equal: true };
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
