'use strict';
// DNS, TCP and TLS as Node.js sees them, without either driver.

const { execFile } = require('node:child_process');
const dns = require('node:dns');
const fs = require('node:fs');
const net = require('node:net');
const tls = require('node:tls');
const { once } = require('node:events');

const SOON_MS = 14 * 24 * 60 * 60 * 1000;
/** getaddrinfo cannot be given up, and a process waits for it at its end: a process of its own can be killed. */
const LOOKUP = 'require("node:dns").lookup(process.argv[1],{all:true,family:Number(process.argv[2])},(e,a)=>console.log(JSON.stringify(e?{code:e.code,message:e.message}:a)))';

/** @returns {Promise<{ obstacle: string | null }>} why look-ups of another driver would not come to an end, if so */
async function checkNetwork(checkup, settings, hider) {
  const { core, official } = settings;
  if (core.proxyHost) {
    const proxy = { host: core.proxyHost, port: core.proxyPort ?? 1080 };
    const { obstacle } = await reach(checkup, [proxy], core, hider);
    checkup.skip('TLS', 'servers', 'connections go through the SOCKS5 proxy; DNS and TCP are about that');
    return { obstacle };
  }
  const hosts = official.srvHost ? await fromRecords(checkup, official, hider) : official.hosts;
  if (hosts === undefined) {
    for (const section of ['TCP', 'TLS']) checkup.skip(section, 'servers', 'there are no SRV records that name them');
    return { obstacle: 'there are no SRV records' };
  }
  const { obstacle, reached } = await reach(checkup, hosts, core, hider);
  if (!core.tls) checkup.skip('TLS', 'servers', 'it is off (tls=true turns it on)');
  else if (reached.length === 0) checkup.skip('TLS', 'servers', 'none could be reached');
  else await checkup.steps('TLS', reached.map(({ host, port }) => [`${host}:${port}`, (signal) => handshake(host, port, core, signal, hider)]));
  return { obstacle };
}

async function fromRecords(checkup, { srvHost: name, srvServiceName }, hider) {
  hider.host(name.split('.').slice(1).join('.'));
  const ask = (method, what) => async (signal) => {
    const resolver = new dns.promises.Resolver();
    signal.addEventListener('abort', () => resolver.cancel());
    return await method(resolver, what);
  };
  const records = await checkup.step('DNS', 'SRV', async (signal) => {
    const found = await ask((resolver, what) => resolver.resolveSrv(what), `_${srvServiceName}._tcp.${name}`)(signal);
    for (const record of found) hider.host(record.name);
    return { value: found.map((record) => `${record.name}:${record.port}`).join(', '), result: found.map((record) => ({ host: record.name, port: record.port })) };
  });
  await checkup.step('DNS', 'TXT', async (signal) => {
    try {
      const found = await ask((resolver, what) => resolver.resolveTxt(what), name)(signal);
      return { value: found.map((parts) => parts.join('')).join(', ') };
    } catch (error) {
      if (['ENODATA', 'ENOTFOUND'].includes(error.code)) return { value: 'none, which is fine' };
      throw error;
    }
  });
  return records;
}

async function reach(checkup, all, core, hider) {
  const hosts = [...new Set(all.map(({ host }) => host).filter((host) => host !== undefined))];
  let obstacle = null;
  const addresses = await checkup.steps('DNS', hosts.map((host) => [host, async (signal) => {
    if (net.isIP(host)) return { value: 'an address already', result: [host] };
    signal.addEventListener('abort', () => { obstacle = 'DNS does not answer'; });
    const found = await lookup(host, core.family ?? 0, signal);
    for (const address of found) hider.host(address);
    return { value: found.join(', '), result: found };
  }]));
  const targets = all.map((one) => (one.socketPath ? { path: one.socketPath, name: one.socketPath } : { host: one.host, port: one.port, name: `${one.host}:${one.port}`, addresses: addresses[hosts.indexOf(one.host)] }));
  const reached = await checkup.steps('TCP', targets.map((target) => [target.name, (signal) => connect(target, signal)]));
  return { obstacle, reached: reached.filter((one) => one?.host !== undefined) };
}

function lookup(host, family, signal) {
  return new Promise((resolve, reject) => {
    // Without NODE_OPTIONS, which may be about this process, such as --inspect.
    execFile(process.execPath, ['-e', LOOKUP, '--', host, String(family)], { signal, killSignal: 'SIGKILL', env: { ...process.env, NODE_OPTIONS: '' } }, (error, stdout) => {
      if (error) return reject(error);
      try {
        const found = JSON.parse(stdout);
        if (!Array.isArray(found)) throw Object.assign(new Error(found.message), { code: found.code });
        return resolve(found.map(({ address }) => address));
      } catch (failure) {
        return reject(failure);
      }
    });
  });
}

async function connect({ path, host, port, addresses }, signal) {
  if (path === undefined && addresses === undefined) return { status: 'skip', value: 'not checked: its name has no address' };
  let failed;
  for (const address of path === undefined ? addresses : [path]) {
    const socket = path === undefined ? net.connect(port, address) : net.connect(path);
    try {
      await once(socket, 'connect', { signal });
      return { value: `connected${path === undefined ? ` to ${address}` : ''}`, result: { host, port } };
    } catch (error) {
      failed = error;
      if (signal.aborted) break;
    } finally {
      socket.destroy();
    }
  }
  throw failed;
}

async function handshake(host, port, core, signal, hider) {
  const read = (option) => (core[option] === undefined ? undefined : fs.readFileSync(core[option]));
  const pem = read('tlsCertificateKeyFile');
  const servername = core.servername ?? (net.isIP(host) ? undefined : host);
  // Without verification, to see the certificate also when it is not to be trusted; nothing is sent.
  const socket = tls.connect({
    host, port, servername, rejectUnauthorized: false, ca: core.ca ?? read('tlsCAFile'), cert: core.cert ?? pem, key: core.key ?? pem, passphrase: core.tlsCertificateKeyFilePassword,
  });
  try {
    await once(socket, 'secureConnect', { signal });
    return describe(socket, core, hider);
  } finally {
    socket.on('error', () => {}); // of what comes after the end
    socket.destroy();
  }
}

function describe(socket, core, hider) {
  const certificate = socket.getPeerCertificate();
  const names = (certificate.subjectaltname ?? `CN:${certificate.subject?.CN}`).split(', ');
  for (const name of names) hider.host(name.slice(name.indexOf(':') + 1).replace(/^\*\./, ''));
  hider.host(certificate.subject?.CN);
  const value = `${socket.getProtocol()}, ${socket.getCipher().standardName}\ncertificate of ${names.join(', ')} by ${certificate.issuer?.CN ?? certificate.issuer?.O}, valid from ${certificate.valid_from} to ${certificate.valid_to}`;
  const problem = refusal(socket.authorizationError, core);
  if (problem !== null) {
    throw Object.assign(new Error(`${problem}; ${value}`), { code: socket.authorizationError.code ?? socket.authorizationError });
  }
  if (socket.authorizationError) return { value: `${value}\nnot verified, as the options say: ${text(socket.authorizationError)}`, status: 'warn', remedy: 'Leave tlsInsecure and tlsAllowInvalid... away, and name the authority with tlsCAFile: anybody could answer in the server\'s name.' };
  const left = Date.parse(certificate.valid_to) - Date.now();
  return left < SOON_MS ? { value, status: 'warn', remedy: 'Renew the server\'s certificate: it ends within two weeks.' } : { value };
}

const text = (error) => error.message ?? String(error);

/** Why the certificate is not good enough for these options, or null. */
function refusal(error, core) {
  if (!error || core.tlsInsecure || core.tlsAllowInvalidCertificates) return null;
  if (core.tlsAllowInvalidHostnames && /ALTNAME/.test(error.code ?? error)) return null;
  return text(error);
}

module.exports = { checkNetwork };
