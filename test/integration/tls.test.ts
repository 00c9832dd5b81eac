import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { createServer, type RequestOptions, request } from "node:https";
import { type AddressInfo, connect as connectPlain } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { inSequence } from "@plinth/core/rpc";
import { FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Certificate, CertificateMaker, isOpensslMissing } from "../support/certificates.js";
import { startGuardedNode } from "../support/guarded-node.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/**
 * `npm run long -- attacks` is for a quiet machine and enforces the limit; here other tests run as
 * well.
 */
const MAX_WAIT_MS = process.env.PLINTH_STRICT === undefined ? 1000 : 100;
const BODY = '{"jsonrpc":"2.0","id":1,"method":"web3_clientVersion","params":[]}';
const QUERY = '{"query":"{ block { number } }"}';
const DAY_MS = 86_400_000;
/** Files are checked every five seconds. */
const CHECK_MS = 5000;

/** A node with TLS, in a folder with certificates. */
async function startTls(
  optionsFor: (files: {
    readonly maker: CertificateMaker;
    readonly server: Certificate;
    readonly file: (name: string) => string;
  }) => Readonly<Record<string, unknown>> = () => ({}),
  clock?: FakeClock,
) {
  const folder = temporaryFolder();
  const maker = new CertificateMaker(folder.path);
  const server = maker.create("localhost");
  const logs = recordLogs();
  const options = {
    rpcHttpTlsEnabled: true,
    rpcHttpTlsCertificateFile: server.certFile,
    rpcHttpTlsKeyFile: server.keyFile,
    ...optionsFor({ maker, server, file: folder.file }),
  };
  const node = await startGuardedNode(options, { logs, ...(clock && { clock }) }).catch((error) => {
    folder[Symbol.dispose]();
    throw error;
  });
  return {
    ...node,
    maker,
    server,
    logs,
    file: folder.file,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Posts over TLS; returns the status, or the code of the error. */
function post(port: number, settings: RequestOptions, body = BODY, path = "/"): Promise<unknown> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    const place = { host: "127.0.0.1", port, path, method: "POST" };
    const options = { ...place, headers, agent: false, ...settings };
    const asking = request(options, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    asking.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    asking.end(body);
  });
}

/** Another client is served while something goes wrong. */
async function expectServed(port: number, settings: RequestOptions): Promise<void> {
  const begun = performance.now();
  expect(await post(port, settings)).toBe(200);
  expect(performance.now() - begun).toBeLessThan(MAX_WAIT_MS);
}

/** Resolves when a count has started, and has not changed for many turns of the event loop. */
async function untilQuiet(count: () => number): Promise<void> {
  for (let last = 0, turns = 0; turns < 100; turns++) {
    if (count() !== last || last === 0) turns = 0;
    last = count();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.skipIf(isOpensslMissing)("TLS", () => {
  it("serves HTTP, WebSocket and GraphQL, with a certificate or a key store", async () => {
    await using node = await startTls(({ maker, server, file }) => {
      const [store, password] = [file("store.p12"), file("password")];
      maker.store(server, store, "pässword");
      writeFileSync(password, "pässword\nsecond line");
      return {
        rpcHttpTlsCertificateFile: undefined,
        rpcHttpTlsKeyFile: undefined,
        rpcHttpTlsKeystoreFile: store,
        rpcHttpTlsKeystorePasswordFile: password,
        rpcWsSslEnabled: true,
        rpcWsSslCertificateFile: server.certFile,
        rpcWsSslKeyFile: server.keyFile,
        graphqlTlsEnabled: true,
        graphqlTlsKeystoreFile: store,
        graphqlTlsKeystorePasswordFile: password,
      };
    });
    const ca = node.server.cert;

    expect(await post(node.http, { ca })).toBe(200);
    expect(await post(node.graphql, { ca }, QUERY, "/graphql")).toBe(200);
    const socket = new WebSocket(`wss://127.0.0.1:${node.ws}`, { ca });
    await once(socket, "open");
    socket.send(BODY);
    const [message] = await once(socket, "message");
    expect(JSON.parse(String(message))).toMatchObject({ id: 1 });
    socket.terminate();
    expect(node.logs.entries.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^JSON-RPC service started and listening on .* with TLS enabled\.$/),
    );
  });

  it("serves WebSockets on the HTTP port", async () => {
    await using node = await startTls(() => ({ rpcWsOnHttpPort: true }));
    const socket = new WebSocket(`wss://127.0.0.1:${node.http}`, { ca: node.server.cert });
    await once(socket, "open");

    socket.send(BODY);

    expect(String((await once(socket, "message"))[0])).toContain('"id":1');
    socket.terminate();
  });

  it.each([
    ["plain HTTP", "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n"],
    ["garbage", "\x00\x01\x02\x03".repeat(100)],
  ])("closes a connection with %s, and continues", async (_, bytes) => {
    await using node = await startTls();
    const socket = connectPlain(node.http, "127.0.0.1");
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    socket.on("error", () => {});

    socket.write(bytes, "latin1");
    await once(socket, "close");

    // An alert at most.
    expect(received).toBeLessThan(20);
    await expectServed(node.http, { ca: node.server.cert });
  });

  it("is not delayed by a stalled client, and stops despite it", async () => {
    await using node = await startTls();
    const silent = connectPlain(node.http, "127.0.0.1");
    await once(silent, "connect");

    await expectServed(node.http, { ca: node.server.cert });
    const begun = performance.now();
    await node.stop();

    expect(performance.now() - begun).toBeLessThan(8000);
    silent.destroy();
  });

  it("pauses reading while pipelined requests are pending", async () => {
    using folder = temporaryFolder();
    const { key, cert } = new CertificateMaker(folder.path).create("localhost");
    let read = 0;
    const server = createServer(
      { key, cert },
      inSequence(() => {}),
    );
    server.prependListener("request", () => {
      read += 1;
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1", ca: cert });
    await once(socket, "secureConnect");

    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20_000));
    await untilQuiet(() => read);

    expect(read).toBeLessThan(4000);
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  it("supports the configured versions and ciphers", async () => {
    await using node = await startTls(() => ({
      rpcHttpTlsProtocols: ["TLSv1.2"],
      rpcHttpTlsCipherSuites: ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"],
    }));
    const ca = node.server.cert;

    const socket = connect({ port: node.http, host: "127.0.0.1", ca });
    await once(socket, "secureConnect");

    expect([socket.getProtocol(), socket.getCipher().standardName]).toEqual([
      "TLSv1.2",
      "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    ]);
    socket.destroy();
    expect(await post(node.http, { ca, minVersion: "TLSv1.3" })).toMatch(/^E/);
    const ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256";
    expect(await post(node.http, { ca, ciphers, maxVersion: "TLSv1.2" })).toMatch(/^E/);
  });
});

describe.skipIf(isOpensslMissing)("a certificate that changes", () => {
  async function shown(port: number): Promise<string> {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { subject } = socket.getPeerCertificate();
    socket.destroy();
    return String(subject.CN);
  }

  it("is used without a restart, unless it is damaged", async () => {
    const clock = new FakeClock(Date.now());
    await using node = await startTls(() => ({}), clock);
    const { server, maker } = node;
    const pass = async () => {
      await clock.advance(CHECK_MS);
      await clock.advance(CHECK_MS);
    };
    const healthOf = async () => (await node.node.health()).checks.find(isCertificate);

    writeFileSync(server.certFile, "garbage");
    await untilLogged(node.logs, "cannot use the new certificate, keeping the old one", pass);
    const kept = await shown(node.http);
    const degraded = await healthOf();
    const next = maker.create("next");
    renameSync(next.keyFile, server.keyFile);
    renameSync(next.certFile, server.certFile);
    await untilLogged(node.logs, "reloaded the certificate", pass);

    expect(kept).toBe("localhost");
    expect(degraded).toMatchObject({ status: "degraded" });
    expect(await shown(node.http)).toBe("next");
    expect(await healthOf()).toMatchObject({ status: "up" });
  });

  it("causes a warning 14 days before it expires, and after", async () => {
    expect(await healthAfter(0)).toMatchObject({ status: "up" });
    expect(await healthAfter(352 * DAY_MS)).toMatchObject({
      status: "degraded",
      detail: expect.stringMatching(
        /^the certificate "localhost" of json-rpc expires in 1[23] days/,
      ),
    });
    expect(await healthAfter(364 * DAY_MS, 2 * DAY_MS)).toMatchObject({
      detail: expect.stringContaining("has expired on"),
    });
  });

  /**
   * The health of the certificate of a node that starts this long after it was issued, and has run
   * for a while.
   */
  async function healthAfter(startMs: number, runMs = 0) {
    const clock = new FakeClock(Date.now() + startMs);
    await using node = await startTls(() => ({}), clock);
    await clock.advance(runMs);
    return (await node.node.health()).checks.find(isCertificate);
  }

  function isCertificate({ name, plugin }: { readonly name: string; readonly plugin: string }) {
    return name === "certificate" && plugin === "transport-http";
  }

  async function untilLogged(
    logs: ReturnType<typeof recordLogs>,
    text: string,
    pass: () => Promise<void>,
  ): Promise<void> {
    while (!logs.entries.some(({ message }) => message.includes(text))) {
      await pass();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

describe.skipIf(isOpensslMissing)("certificates of clients", () => {
  it("are accepted if they are known, or signed by an authority", async () => {
    let clients: Readonly<Record<string, Certificate>> = {};
    await using node = await startTls(({ maker, file }) => {
      const authority = maker.create("authority");
      const known = maker.create("known client");
      clients = {
        known,
        signed: maker.sign("signed", authority),
        expired: maker.sign("expired", authority, -1),
        unknown: maker.create("unknown"),
        // The name of one and the key of another.
        impostor: maker.create("known client 2"),
      };
      const lines = [
        "# clients",
        "",
        `known client ${known.fingerprint}`,
        `known client 2 ${known.fingerprint.toLowerCase().replaceAll(":", "")}`,
      ];
      writeFileSync(file("known"), lines.join("\n"));
      return {
        rpcHttpTlsClientAuthEnabled: true,
        rpcHttpTlsKnownClientsFile: file("known"),
        rpcHttpTlsTruststoreFile: authority.certFile,
      };
    });
    const ca = node.server.cert;
    const outcome = async (name: string) => {
      const { cert, key } = clients[name] ?? {};
      return post(node.http, { ca, ...(cert && { cert, key }) });
    };

    expect([await outcome("known"), await outcome("signed")]).toEqual([200, 200]);
    for (const name of ["none", "unknown", "expired", "impostor"]) {
      expect([name, await outcome(name)]).toEqual([name, expect.stringMatching(/^E/)]);
      await expectServed(node.http, { ca, cert: clients.known?.cert, key: clients.known?.key });
    }
    const denied = node.logs.entries.filter(({ message }) => message === "denied");
    const line = { client: "127.0.0.1", listener: "json-rpc", reason: "certificate" };
    expect(denied.map(({ fields }) => fields)).toEqual([line, line, line, line]);
  });
});

describe.skipIf(isOpensslMissing)("TLS of a node that does not start", () => {
  it.each<[string, Parameters<typeof startTls>[0], string]>([
    [
      "without files",
      () => ({ rpcHttpTlsCertificateFile: undefined, rpcHttpTlsKeyFile: undefined }),
      "--rpc-http-tls-enabled needs --rpc-http-tls-certificate-file and --rpc-http-tls-key-file, or --rpc-http-tls-keystore-file and --rpc-http-tls-keystore-password-file",
    ],
    [
      "with a wrong password",
      ({ maker, server, file }) => {
        maker.store(server, file("store.p12"), "right");
        writeFileSync(file("password"), "wrong");
        return {
          rpcHttpTlsCertificateFile: undefined,
          rpcHttpTlsKeyFile: undefined,
          rpcHttpTlsKeystoreFile: file("store.p12"),
          rpcHttpTlsKeystorePasswordFile: file("password"),
        };
      },
      "store.p12: the password is wrong",
    ],
    [
      "with a key of another certificate",
      ({ maker }) => ({ rpcHttpTlsKeyFile: maker.create("other").keyFile }),
      "key and certificate do not match",
    ],
    [
      "with a missing file",
      () => ({ rpcHttpTlsKeyFile: "/nowhere/key.pem" }),
      "/nowhere/key.pem cannot be read: ENOENT",
    ],
    [
      "without a way to verify clients",
      () => ({ rpcHttpTlsClientAuthEnabled: true }),
      "--rpc-http-tls-client-auth-enabled needs --rpc-http-tls-known-clients-file or --rpc-http-tls-ca-clients-enabled",
    ],
    [
      "with an invalid file of clients",
      ({ server }) => ({
        rpcHttpTlsClientAuthEnabled: true,
        rpcHttpTlsKnownClientsFile: server.certFile,
      }),
      ", line 1: expected a common name and a SHA-256 fingerprint",
    ],
    [
      "with an unknown cipher suite",
      () => ({ rpcHttpTlsCipherSuites: ["TLS_NONE"] }),
      "unknown cipher suites [TLS_NONE]",
    ],
    [
      "with an old version",
      () => ({ rpcHttpTlsProtocols: ["TLSv1.1", "TLSv1.2"] }),
      "Invalid value for option '--rpc-http-tls-protocols': 'TLSv1.1,TLSv1.2'; expected TLSv1.2, TLSv1.3 or both",
    ],
    [
      "with no version",
      () => ({ rpcHttpTlsProtocols: [] }),
      "Invalid value for option '--rpc-http-tls-protocols': ''",
    ],
  ])("%s", async (_, optionsFor, text) => {
    await expect(startTls(optionsFor)).rejects.toThrow(text);
  });
});

/** `npm run long -- tools` has it: without a cache, Go compiles its library for a minute. */
const GO = process.env.PLINTH_TOOLS !== undefined && spawnSync("go", ["version"]).status === 0;
const CURL = spawnSync("curl", ["--version"]).status === 0;

describe.skipIf(isOpensslMissing)("clients in other languages", () => {
  it.skipIf(!CURL)("reach the node over TLS: curl", async () => {
    await using node = await startTls();
    const words = ["-sS", "--cacert", node.server.certFile, "-d", BODY];

    const { code, text } = await run("curl", [...words, `https://localhost:${node.http}`], "/");

    expect([code, text]).toEqual([0, expect.stringContaining('"id":1')]);
  });

  it.skipIf(!GO)("reach the node over TLS: Go", async () => {
    await using node = await startTls();
    writeFileSync(node.file("main.go"), GO_PROGRAM);
    const words = ["run", node.file("main.go"), node.server.certFile, String(node.http), BODY];

    const { code, text } = await run("go", words, join(node.file("main.go"), ".."));

    expect([code, text]).toEqual([0, expect.stringContaining('"id":1')]);
  });
});

const GO_PROGRAM = `package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	pem, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	answer, err := client.Post("https://127.0.0.1:"+os.Args[2], "application/json", strings.NewReader(os.Args[3]))
	if err != nil {
		panic(err)
	}
	body, _ := io.ReadAll(answer.Body)
	fmt.Println(string(body))
}
`;

async function run(program: string, words: readonly string[], cwd: string) {
  const environment = { ...process.env, GOFLAGS: "-mod=mod", GO111MODULE: "off" };
  const child = spawn(program, words, { cwd, env: environment });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  return { code, text };
}
