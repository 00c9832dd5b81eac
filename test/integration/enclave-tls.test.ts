import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import {
  createMemoryStorageDriver,
  type KeyValueStore,
  type Logger,
  loadCrypto,
} from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import {
  createKeyPair,
  HttpLink,
  HttpService,
  loadSodium,
  Manager,
  PeerTls,
  peerRoutes,
  type Sodium,
  type TrustMode,
} from "@plinth/plugin-enclave/api";
import { FakeClock, recordLogs } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { type Certificate, CertificateMaker, isOpensslMissing } from "../support/certificates.js";
import { freePort } from "../support/free-port.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const PAYLOAD = new TextEncoder().encode("over TLS");
const MAX_PAYLOAD_BYTES = 100_000;

let sodium: Sodium;
beforeAll(async () => {
  await loadCrypto();
  sodium = await loadSodium();
});

interface Member {
  readonly manager: Manager;
  readonly url: string;
  readonly port: number;
  readonly key: Uint8Array;
  readonly tls: PeerTls;
  readonly store: KeyValueStore;
}

/** Managers on sockets, each with its own certificate. */
class TlsManagers implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #closing: (() => Promise<void>)[] = [];
  readonly maker: CertificateMaker;

  constructor() {
    this.#folder = temporaryFolder();
    this.maker = new CertificateMaker(this.#folder.path);
  }

  file(name: string): string {
    return this.#folder.file(name);
  }

  async add(
    name: string,
    certificate: Certificate,
    {
      trust,
      ca,
      peers = [],
      log = silentLogs.for("enclave"),
    }: {
      trust: TrustMode;
      ca?: Certificate;
      peers?: readonly Member[];
      log?: Logger;
    },
  ): Promise<Member> {
    const port = await freePort();
    const url = `https://127.0.0.1:${port}/`;
    const tls = await PeerTls.open(
      {
        keyFile: certificate.keyFile,
        certificateFile: certificate.certFile,
        trust,
        caFile: ca?.certFile,
        knownServersFile: this.file(`${name}-servers`),
        knownClientsFile: this.file(`${name}-clients`),
      },
      log,
    );
    const link = new HttpLink({ tls });
    const pair = createKeyPair(sodium);
    const store = await createMemoryStorageDriver().open({ folder: "" });
    const manager = new Manager({
      sodium,
      store,
      clock: new FakeClock(Date.now()),
      log,
      link,
      keys: [pair],
      url,
      peers: peers.map((peer) => peer.url),
      maxPayloadBytes: MAX_PAYLOAD_BYTES,
    });
    const routes = peerRoutes(manager, { url, maxPayloadBytes: MAX_PAYLOAD_BYTES });
    const service = new HttpService({ host: "127.0.0.1", port, routes, log, tls });
    await service.listen();
    const close = async () => {
      manager.close();
      await service.close();
      link.close();
    };
    this.#closing.push(close);
    return { manager, url, port, key: pair.publicKey, tls, store };
  }

  async [Symbol.asyncDispose]() {
    for (const close of this.#closing) await close();
    this.#folder[Symbol.dispose]();
  }
}

/** Whether the first can deliver a payload to the second. */
async function reaches(a: Member, b: Member): Promise<boolean> {
  await a.manager.discovery.announce();
  await b.manager.discovery.announce();
  try {
    const hash = await a.manager.payloads.send({ payload: PAYLOAD, to: [b.key] });
    return Buffer.compare(b.manager.payloads.receive(hash).payload, PAYLOAD) === 0;
  } catch (error) {
    expect(error).toMatchObject({ status: expect.any(Number) });
    return false;
  }
}

describe.skipIf(isOpensslMissing)("managers over TLS", () => {
  it.each([
    ["of the same authority", "own", true],
    ["of another authority", "other", false],
    ["self-signed", "self", false],
    ["that has expired", "expired", false],
  ])("trust a certificate %s: %3$s", async (_, kind, expected) => {
    await using network = new TlsManagers();
    const { maker } = network;
    const [ca, other] = [maker.create("ca"), maker.create("other-ca")];
    const certificates: Record<string, Certificate> = {
      own: maker.sign("own", ca),
      other: maker.sign("b-other", other),
      self: maker.create("self"),
      expired: maker.sign("expired", ca, -1),
    };
    const a = await network.add("a", maker.sign("a", ca), { trust: "ca", ca });
    const b = await network.add("b", certificates[kind] ?? ca, { trust: "ca", ca, peers: [a] });

    expect(await reaches(a, b)).toBe(expected);
  });

  it("trust those in their lists, and no one else", async () => {
    await using network = new TlsManagers();
    const [one, two, three] = ["one", "two", "three"].map((name) => network.maker.create(name)) as [
      Certificate,
      Certificate,
      Certificate,
    ];
    const a = await network.add("a", one, { trust: "whitelist" });
    const b = await network.add("b", two, { trust: "whitelist", peers: [a] });
    const c = await network.add("c", three, { trust: "whitelist", peers: [a] });
    writeFileSync(network.file("a-clients"), `# who may call\ntwo ${two.fingerprint}\n`);
    writeFileSync(network.file("a-servers"), `127.0.0.1:${b.port} ${two.fingerprint}\n`);
    writeFileSync(network.file("b-clients"), `one ${one.fingerprint}\n`);
    writeFileSync(network.file("b-servers"), `127.0.0.1:${a.port} ${one.fingerprint}\n`);
    for (const { tls } of [a, b, c]) await tls.reload();

    expect(await reaches(a, b)).toBe(true);
    expect(await reaches(a, c)).toBe(false);
    expect(await reaches(c, a)).toBe(false);
  });

  it("trust the first certificate they see, and detect another", async () => {
    await using network = new TlsManagers();
    const { maker } = network;
    const logs = recordLogs();
    const log = logs.for("enclave");
    const a = await network.add("a", maker.create("one"), { trust: "tofu", log });
    const b = await network.add("b", maker.create("two"), { trust: "tofu", peers: [a] });
    expect(await reaches(a, b)).toBe(true);

    // Another with the same name, which has the key of neither.
    const impostor = new TlsManagers();
    const c = await network.add("c", impostor.maker.create("two"), { trust: "tofu", peers: [a] });
    expect(await reaches(c, a)).toBe(false);
    expect(
      logs.entries.some(({ message }) => message.includes("does not match the known one")),
    ).toBe(true);
    await impostor[Symbol.asyncDispose]();
  });

  it("do not wait for one that never starts a handshake", async () => {
    await using network = new TlsManagers();
    const own = network.maker.create("a");
    const a = await network.add("a", own, { trust: "tofu" });
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const link = new HttpLink({ tls: a.tls, timeoutMs: 200 });

    await expect(
      link.post(`https://127.0.0.1:${port}/`, "/partyinfo", new Uint8Array()),
    ).rejects.toMatchObject({ status: 410 });

    link.close();
    silent.close();
  });

  it("stop although callers do not complete their handshake", async () => {
    const network = new TlsManagers();
    const member = await network.add("a", network.maker.create("a"), { trust: "tofu" });
    const silent = connect(member.port, "127.0.0.1");
    silent.on("error", () => {}).resume();
    await once(silent, "connect");
    await expect(fetch(member.url)).rejects.toThrow("fetch failed");

    const begun = performance.now();
    await network[Symbol.asyncDispose]();

    expect(performance.now() - begun).toBeLessThan(5000);
    silent.destroy();
  });

  it("keep the old certificate if the new one is invalid, and report it", async () => {
    await using network = new TlsManagers();
    const { maker } = network;
    const logs = recordLogs();
    const ca = maker.create("ca");
    const own = maker.sign("a", ca);
    const a = await network.add("a", own, { trust: "ca", ca, log: logs.for("enclave") });
    const b = await network.add("b", maker.sign("b", ca), { trust: "ca", ca, peers: [a] });
    writeFileSync(own.certFile, "garbage");

    await a.tls.reload();

    expect(await reaches(b, a)).toBe(true);
    expect(logs.entries.some(({ message }) => message.includes("keeping the old ones"))).toBe(true);
    const next = maker.sign("a2", ca);
    writeFileSync(own.certFile, next.cert);
    writeFileSync(own.keyFile, next.key);
    await a.tls.reload();
    expect(logs.entries.some(({ message }) => message.includes("was replaced"))).toBe(true);
    expect(await reaches(b, a)).toBe(true);
  });
});
