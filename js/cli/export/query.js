'use strict';
// The command line of export.

const { readSource, wholeNumber, document } = require('../arguments.js');
const { UsageError } = require('../exit.js');

const FORMATS = { '.ndjson': 'ndjson', '.jsonl': 'ndjson', '.json': 'json', '.csv': 'csv' };
const COMPRESSIONS = { '.gz': 'gzip', '.zst': 'zstd', '.zstd': 'zstd' };
const LEVELS = { gzip: 9, zstd: 22 };

/**
 * @returns {object} checked and complete; `asked` is what an export that is continued must have in common with the one
 * that was begun, as text by option
 */
function readExport(values, env, EJSON) {
  const query = {
    ...readSource(values, env),
    ...readOutput(values),
    limit: wholeNumber('--limit', values.limit, 0, 0, Number.MAX_SAFE_INTEGER),
    mode: oneOf('--json-mode', values['json-mode'] ?? 'plain', ['plain', 'relaxed', 'canonical']),
    longs: values.longs && oneOf('--longs', values.longs, ['string', 'number']),
    fields: readFields(values.fields),
    filter: document('--filter', values.filter, EJSON, false) ?? {},
    projection: document('--projection', values.projection, EJSON),
    sort: document('--sort', values.sort, EJSON) ?? { _id: 1 },
  };
  const { format, mode, longs, fields } = query;
  if (format !== 'csv' && fields) throw new UsageError('--fields is for csv; for other formats there is --projection');
  if (format === 'csv' && (values['json-mode'] || longs)) throw new UsageError('--json-mode and --longs are for ndjson and json');
  if (longs && mode !== 'plain') throw new UsageError(`--longs is for --json-mode plain; ${mode} has its own form for an int64`);
  if (fields && !query.projection) query.projection = projectionOf(fields);

  query.ordered = Object.keys(query.sort).join() === '_id' && query.sort._id === 1 && idIsKept(query.projection);
  if (query.resume && !query.ordered) {
    throw new UsageError('--resume goes by _id: leave out --sort, and let --projection keep _id');
  }
  query.asked = {
    '--ns': query.ns, '--format': format, '--compress': query.compress ?? 'none', '--json-mode': mode, '--longs': longs ?? '',
    '--fields': fields?.join() ?? '', '--limit': String(query.limit), '--filter': EJSON.stringify(query.filter, { relaxed: false }),
    '--projection': EJSON.stringify(query.projection ?? {}, { relaxed: false }), '--sort': JSON.stringify(query.sort),
  };
  return query;
}

function readOutput({ out, format, compress, level, force, resume }) {
  if (!out) throw new UsageError('--out is missing: the name of a file such as users.ndjson.gz, or - for stdout');
  let rest = out.toLowerCase();
  const take = (known) => {
    const ending = Object.keys(known).find((end) => rest.endsWith(end));
    if (ending !== undefined) rest = rest.slice(0, -ending.length);
    return known[ending];
  };
  const byName = { compress: take(COMPRESSIONS), format: take(FORMATS) };
  const kind = oneOf('--compress', compress ?? byName.compress ?? 'none', ['gzip', 'zstd', 'none']);
  if (level !== undefined && kind === 'none') throw new UsageError('--level goes with --compress, or a name that ends in .gz or .zst');
  if (out === '-' && (force || resume)) throw new UsageError('--force and --resume are for files, not for stdout');
  return {
    out,
    format: oneOf('--format', format ?? byName.format ?? 'ndjson', ['ndjson', 'json', 'csv']),
    compress: kind === 'none' ? undefined : kind,
    level: level === undefined ? undefined : wholeNumber('--level', level, undefined, kind === 'gzip' ? 0 : 1, LEVELS[kind]),
    force: force === true,
    resume: resume === true,
  };
}

function oneOf(name, value, allowed) {
  if (!allowed.includes(value)) throw new UsageError(`${name} must be ${allowed.join(', ').replace(/, ([^,]*)$/, ' or $1')}, got "${value}"`);
  return value;
}

function readFields(text) {
  if (text === undefined) return undefined;
  const fields = text.split(',').map((field) => field.trim());
  const bad = fields.find((field, i) => field === '' || field.split('.').includes('') || fields.indexOf(field) !== i);
  if (bad !== undefined) throw new UsageError(`--fields must be names with commas between them, such as _id,name,address.city, each once; got "${bad}"`);
  return fields;
}

/** What is asked for where only some columns are wanted: their top-level fields, since a column may be in an array. */
function projectionOf(fields) {
  const names = ['_id', ...fields.map((field) => field.split('.')[0])];
  return names.some((name) => name.startsWith('$')) ? undefined : Object.fromEntries(names.map((name) => [name, 1]));
}

/** Whether documents have their own _id. */
const idIsKept = (projection) => projection?._id === undefined || projection._id === 1 || projection._id === true;

module.exports = { readExport };
