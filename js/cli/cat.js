'use strict';
// `npx rumongo-go cat`: the documents of a .bson file as JSON, one a line.

const { resolveBson } = require('../bson/classes.js');
const { openBSON } = require('../decoder/bson-file.js');
const { TextPlan } = require('../decoder/text-plan.js');
const { EXIT, UsageError } = require('./exit.js');
const { Output } = require('./output.js');

const options = {
  relaxed: { type: 'boolean' },
  json: { type: 'boolean' },
  canonical: { type: 'boolean' },
  pretty: { type: 'boolean' },
};

const usage = `Usage: npx rumongo-go cat <file> [options]

Prints the documents of a .bson file of mongodump, also a compressed one (.bson.gz), one a line.

  --canonical  canonical Extended JSON, which keeps every type, as bsondump does; the default
  --relaxed    relaxed Extended JSON, as EJSON.stringify writes it; it rounds what an int64 has beyond 2^53
  --json       plain JSON, as JSON.stringify writes documents: ids and dates are text
  --pretty     indented, over several lines
  --help

Exit code: 0 all printed (or the reader wanted no more), 2 the command line is wrong, 3 the file cannot be read, or is
damaged: the documents before the damage are printed.
`;

async function run({ json, relaxed, canonical, pretty, positionals }, { stdout }) {
  if (positionals.length !== 1) throw new UsageError(positionals.length === 0 ? 'the file is missing' : 'one file at a time');
  if ([json, relaxed, canonical].filter(Boolean).length > 1) throw new UsageError('--canonical, --relaxed and --json do not go together');
  const mode = json ? 'plain' : relaxed ? 'relaxed' : 'canonical';
  const cursor = openBSON(positionals[0], new TextPlan(resolveBson(), mode, pretty === true));
  const output = new Output(stdout);
  try {
    for (let texts; !output.closed && (texts = await cursor.nextBatch()) !== null;) {
      for (const text of texts) await output.write(text);
    }
  } finally {
    await cursor.close();
  }
  return EXIT.OK;
}

module.exports = { summary: 'prints the documents of a .bson file as JSON', usage, options, positionals: true, run };
