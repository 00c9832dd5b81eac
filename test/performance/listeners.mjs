// The cost of tokens and TLS: `web3_clientVersion` over a plain listener, with a token, and over
// TLS, in one run.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hashPassword } from "@plinth/core/primitives";
import { isUp } from "./measured.mjs";
import { PROGRAM } from "./node-process.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const GENESIS = here("../../examples/minimal-node/genesis.json");
const BODY = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}';
const MIN_WITH_TOKEN = 0.8;
const MIN_WITH_TLS = 0.6;

/** Name, value with it, value without it, and the minimum ratio. */
export async function benchListeners(rounds, seconds) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const nodes = [];
  try {
    const plain = await start(folder, "plain", []);
    const users = join(folder, "users.toml");
    const hash = await hashPassword("secret", 4);
    writeFileSync(users, `[Users.bench]\npassword = "${hash}"\npermissions = ["web3:*"]\n`, {
      mode: 0o600,
    });
    const guarded = await start(folder, "guarded", [
      "--rpc-http-authentication-enabled",
      `--rpc-http-authentication-credentials-file=${users}`,
    ]);
    const { certificate, key } = createCertificate(folder);
    const secure = await start(folder, "secure", [
      "--rpc-http-tls-enabled",
      `--rpc-http-tls-certificate-file=${certificate}`,
      `--rpc-http-tls-key-file=${key}`,
    ]);
    nodes.push(plain, guarded, secure);
    const [withToken, withTls] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const without = await load(plain.port, seconds, {});
      const token = { LOAD_TOKEN: await logIn(guarded.port) };
      withToken.push([await load(guarded.port, seconds, token), without]);
      withTls.push([await load(secure.port, seconds, { LOAD_CA: certificate }), without]);
    }
    return [
      ["web3_clientVersion with a token", ...medianPair(withToken), MIN_WITH_TOKEN],
      ["web3_clientVersion over TLS", ...medianPair(withTls), MIN_WITH_TLS],
    ];
  } finally {
    for (const { child } of nodes) {
      const closed = once(child, "exit");
      child.kill();
      await closed;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The round with the median ratio: a machine that slows down for a while slows down both of a pair.
 */
function medianPair(pairs) {
  const byRatio = pairs.toSorted(([a, b], [c, d]) => a / b - c / d);
  return byRatio[Math.floor(pairs.length / 2)];
}

async function start(folder, name, words) {
  const data = join(folder, name);
  const child = spawn(
    process.execPath,
    [
      "--max-semi-space-size=64",
      PROGRAM,
      `--genesis-file=${GENESIS}`,
      `--data-path=${data}`,
      "--p2p-enabled=false",
      "--rpc-http-enabled",
      "--rpc-http-port=0",
      ...words,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await isUp(child);
  child.removeAllListeners("close");
  child.stdout.resume();
  const ports = readFileSync(join(data, "plinth.ports"), "utf8");
  return { child, port: /json-rpc=(\d+)/.exec(ports)[1] };
}

function createCertificate(folder) {
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const words = ["req", "-x509", ...kind, "-keyout", key, "-out", certificate, ...names];
  execFileSync("openssl", words, { stdio: "pipe" });
  return { certificate, key };
}

/** Tokens are valid for five minutes, longer than a round. */
async function logIn(port) {
  const body = JSON.stringify({ username: "bench", password: "secret" });
  const response = await fetch(`http://127.0.0.1:${port}/login`, { method: "POST", body });
  return (await response.json()).token;
}

async function load(port, seconds, environment) {
  const words = [here("http-load.mjs"), port, BODY, String(seconds)];
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  return Number(stdout);
}
