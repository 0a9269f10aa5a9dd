'use strict';

// The charts of BENCHMARKS.md and README.md, as SVG files drawn by ECharts on the server side.

const fs = require('node:fs');
const path = require('node:path');
const { geometricMean } = require('./targets');

// By reader: ours green, the official driver's orange, Mongoose's red, rumongo's blue, floors grey.
const colours = {
  find: '#0a7d4f', findLazy: '#5fc08f', findCursor: '#1f9fa3', findCursorEager: '#7a9e1f', forAwait: '#b3d267',
  official: '#c4703c', officialCursor: '#e0a06f', officialRaw: '#edc9a7', lean: '#a8577e', hydrated: '#6e2f4e',
  rumongo: '#4f6aa8', rumongoLazy: '#8ba3d9', rumongoCursor: '#b9c9ec', constants: '#9aa5b1', drain: '#6b7580'
};
const colourOf = (name) => colours[name.split('@')[0].replace('Untouched', '')];
const short = (title) => title.replace('floor: ', '').replace(', 2 fields', '').replace(/: [^:]*$/, '');

// Without a canvas the widths of texts are estimates: some room between them.
const legend = { bottom: 0, itemGap: 32 };

/** Each chart: of(part) -> option of ECharts, or undefined when the part has not what it shows. */
const charts = [
  {
    file: 'eager.svg', part: 'eager', title: 'Eager reads: times faster than the official driver (dashed line: itself)',
    of: ({ cases }) => timesBySet(cases, ['find', 'rumongo', 'lean', 'hydrated'])
  },
  {
    file: 'delay.svg', part: 'loop', title: 'Longest event-loop delay during a 36 MB read, ms (less is better)',
    of: ({ cases }) => bars(cases.find(({ id }) => id === 'one'), ({ delayMs }) => delayMs.median, { log: true })
  },
  {
    file: 'lazy.svg', part: 'lazy', title: 'Two of 45 fields read: documents per second (more is better)',
    of: ({ cases }) => bars(cases[0], ({ docsPerSecond }) => docsPerSecond)
  },
  {
    file: 'point.svg', part: 'point', title: 'findOne per second (more is better)',
    of: ({ cases }) => grouped(cases.filter(({ id }) => id !== 'first'), ({ docsPerSecond }) => docsPerSecond)
  },
  {
    file: 'cursor.svg', part: 'cursor', title: 'Cursors by batch size: documents per second (more is better)',
    of: ({ cases }) => curves(cases[0], ({ docsPerSecond }) => docsPerSecond, 'batch size')
  },
  {
    file: 'linear.svg', part: 'linear', title: 'Wall time by documents, ms (both axes logarithmic)',
    of: ({ cases }) => curves(cases[0], ({ wallMs }) => wallMs.median, 'documents', { log: true })
  },
  {
    file: 'goroutines.svg', part: 'goroutines', title: 'Wall time by Go processors (GOMAXPROCS), ms (less is better)',
    of: ({ cases }) => curves(cases[0], ({ wallMs }) => wallMs.median, 'GOMAXPROCS')
  },
  {
    file: 'semispace.svg', part: 'semispace', title: 'Wall time by --max-semi-space-size in MB, ms (less is better)',
    of: ({ cases }) => curves(cases[0], ({ wallMs }) => wallMs.median, 'MB')
  }
];

function timesBySet(cases, names) {
  const shown = cases.filter(({ contenders }) => contenders.official !== undefined);
  const times = (one, name) => (one.contenders[name] === undefined ? undefined : one.contenders.official.wallMs.median / one.contenders[name].wallMs.median);
  const series = names.filter((name) => shown.some((one) => one.contenders[name] !== undefined));
  const rows = shown.map((one) => ({ label: one.id, values: series.map((name) => times(one, name)) }));
  if (shown.length > 1) rows.unshift({ label: 'geometric mean', values: series.map((name) => geometricMean(shown.map((one) => times(one, name)))) });
  const titleOf = (name) => short(shown.find((one) => one.contenders[name] !== undefined).contenders[name].title);
  return {
    height: 110 + rows.length * 42,
    legend,
    xAxis: { type: 'value' },
    yAxis: { type: 'category', inverse: true, data: rows.map(({ label }) => label) },
    series: series.map((name, i) => ({
      name: titleOf(name),
      type: 'bar',
      itemStyle: { color: colourOf(name) },
      label: { show: true, position: 'right', fontSize: 10, formatter: ({ value }) => (value === null ? '' : value.toFixed(1)) },
      data: rows.map(({ values }) => values[i] ?? null),
      // The official driver's own bar would be 1 everywhere: a line says it.
      ...(i === 0 && { markLine: { symbol: 'none', silent: true, label: { show: false }, lineStyle: { color: '#666' }, data: [{ xAxis: 1 }] } })
    }))
  };
}

function bars(one, valueOf, { log = false } = {}) {
  if (one === undefined) return undefined;
  const shown = Object.entries(one.contenders).map(([name, result]) => ({ name, title: short(result.title), value: valueOf(result) }))
    .filter(({ value }) => value !== undefined);
  return {
    height: 90 + shown.length * 34,
    xAxis: { type: log ? 'log' : 'value' },
    yAxis: { type: 'category', inverse: true, data: shown.map(({ title }) => title) },
    series: [{
      type: 'bar',
      label: { show: true, position: 'right', formatter: ({ value }) => figure(value) },
      data: shown.map(({ name, value }) => ({ value, itemStyle: { color: colourOf(name) } }))
    }]
  };
}

function grouped(cases, valueOf) {
  if (cases.length === 0) return undefined;
  const names = [...new Set(cases.flatMap(({ contenders }) => Object.keys(contenders)))];
  return {
    height: 360,
    legend,
    xAxis: { type: 'category', data: cases.map(({ title }) => title) },
    yAxis: { type: 'value' },
    series: names.map((name) => ({
      name: short(cases.find((one) => one.contenders[name] !== undefined).contenders[name].title),
      type: 'bar',
      itemStyle: { color: colourOf(name) },
      label: { show: true, position: 'top', fontSize: 9, formatter: ({ value }) => (value === null ? '' : figure(value)) },
      data: cases.map(({ contenders }) => (contenders[name] === undefined ? null : valueOf(contenders[name])))
    }))
  };
}

// Contenders called reader@value are a curve for each reader.
function curves(one, valueOf, xName, { log = false } = {}) {
  if (one === undefined) return undefined;
  const lines = new Map();
  for (const [key, result] of Object.entries(one.contenders)) {
    const [name, x] = key.split('@');
    if (!lines.has(name)) lines.set(name, { title: short(result.title), data: [] });
    lines.get(name).data.push([x, valueOf(result)]);
  }
  const xs = [...new Set([...lines.values()].flatMap(({ data }) => data.map(([x]) => x)))];
  return {
    height: 340,
    legend,
    xAxis: { type: 'category', name: xName, nameLocation: 'middle', nameGap: 26, data: xs },
    yAxis: { type: log ? 'log' : 'value' },
    series: [...lines].map(([name, { title, data }]) => ({ name: title, type: 'line', data, lineStyle: { color: colourOf(name) }, itemStyle: { color: colourOf(name) } }))
  };
}

const figure = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1));

/** Draws what the parts allow; returns { file, part, title } of each chart. */
function draw(parts, folder) {
  const echarts = require('echarts');
  fs.mkdirSync(folder, { recursive: true });
  const drawn = [];
  for (const { file, part: name, title, of } of charts) {
    const part = parts.find((one) => one.part === name);
    const option = part && of(part);
    if (option === undefined) continue;
    const { height, ...rest } = option;
    const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 820, height });
    chart.setOption({
      animation: false, backgroundColor: '#fff', title: { text: title, left: 8, top: 8, textStyle: { fontSize: 15 } },
      grid: { left: 28, right: 64, top: 48, bottom: rest.legend ? 56 : 24, containLabel: true }, ...rest
    });
    fs.writeFileSync(path.join(folder, file), `${chart.renderToSVGString()}\n`);
    chart.dispose();
    drawn.push({ file, part: name, title });
  }
  return drawn;
}

module.exports = { draw };
