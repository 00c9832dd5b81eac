import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock, signTransaction, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { post } from "../support/guarded-node.js";
import { startLiar } from "../support/lying-source.js";
import { ASKED, isNginxMissing, NginxServer } from "../support/nginx-server.js";
import { ROOT } from "../support/program.js";
import { startReplica, startSource } from "../support/replica.js";

/** The ports in the recipe of the page. */
const PAGE_PORTS = { first: 9545, second: 9546, source: 8545, site: 8080 };
/** A part of the time for which a request waits for its block. */
const STEP_MS = 500;
/** As `max_fails` in the recipe. */
const MAX_FAILS = 3;

describe.skipIf(isNginxMissing)("nginx with the recipe for replicas", () => {
  it("distributes reads among replicas, and lets them forward transactions", async () => {
    await using site = await startSite();

    const replies = await site.send({ requests: 4 });
    const raw = await signTransaction(transfer({ nonce: 0 }));
    const [sent] = await site.send({ method: "eth_sendRawTransaction", params: [raw] });

    expect(replies.map(({ asked }) => asked).sort()).toEqual(
      [site.first, site.first, site.second, site.second].map(({ name }) => [name]).sort(),
    );
    expect(site.source.node.pool.all().map(({ hash }) => hash)).toEqual([sent?.result]);
  });

  it("asks the next replica for a block that one lacks, and leaves that out after some failures", async () => {
    await using site = await startSite();
    await site.leaveSecondBehind();
    const minBlock = String(site.source.head().number);

    const first = await site.send({ requests: 2 * MAX_FAILS, minBlock });
    const later = await site.send({ requests: 4, minBlock });

    const { first: present, second: behind } = site;
    expect(first.map(({ result }) => result)).toEqual(first.map(() => "0x2"));
    expect(first.map(({ asked }) => asked)).toEqual(
      expect.arrayContaining(Array(MAX_FAILS).fill([behind.name, present.name])),
    );
    expect(later.map(({ result, asked }) => [result, ...asked])).toEqual(
      Array(4).fill(["0x2", present.name]),
    );
  });

  it("serves every request when a replica stops, and from the source when all have", async () => {
    await using site = await startSite();

    await site.first.stop();
    const fromOne = await site.send({ requests: 4 });
    await site.second.stop();
    const fromSource = await site.send({ requests: 4 });

    const lastOf = (replies: typeof fromOne) => [
      ...new Set(replies.map((each) => each.asked.at(-1))),
    ];
    expect([...fromOne, ...fromSource].map(({ result }) => result)).toEqual(Array(8).fill("0x1"));
    expect(lastOf(fromOne)).toEqual([site.second.name]);
    expect(lastOf(fromSource)).toEqual([site.sourceName]);
  });
});

/** A source with a block, two replicas that have it, and nginx before them. */
async function startSite() {
  const opened: AsyncDisposable[] = [];
  const close = async () => {
    for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
  };
  try {
    return await openSite((each) => {
      opened.push(each);
      return each;
    }, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSite(
  use: <T extends AsyncDisposable>(each: T) => T,
  close: () => Promise<void>,
) {
  const source = use(await startSource());
  await source.mine([]);
  const relay = use(await startLiar(source.address(), {}));
  const clock = new FakeClock(Date.now());
  const first = use(await startReplica([source.address()]));
  const second = use(await startReplica([relay.address], {}, { clock }));
  await Promise.all([first, second].map((each) => each.reached(source.head())));
  const port = await freePort();
  use(
    await NginxServer.start(
      recipe({ first: first.port(), second: second.port(), source: source.port(), site: port }),
    ),
  );
  return {
    source,
    sourceName: nameOf(source),
    first: { name: nameOf(first), stop: () => first.stop() },
    second: { name: nameOf(second), stop: () => second.stop() },
    /** Separates it from its source, which produces a block that only the first replica gets. */
    async leaveSecondBehind() {
      await relay[Symbol.asyncDispose]();
      await source.mine([transfer()]);
      await first.reached(source.head());
    },
    /** Sends requests at once; while they wait, the time of the second replica passes. */
    async send({ requests = 1, minBlock, method = "eth_blockNumber", params = [] }: Sent) {
      const headers = minBlock === undefined ? {} : { "x-plinth-min-block": minBlock };
      const call = { jsonrpc: "2.0", id: 1, method, params };
      let isWaiting = true;
      const replies = Promise.all(
        Array.from({ length: requests }, () => post(port, call, { headers })),
      ).finally(() => {
        isWaiting = false;
      });
      while (isWaiting && minBlock !== undefined) await clock.advance(STEP_MS);
      return (await replies).map(({ json, headers }) => ({
        result: Object(json).result,
        asked: (headers.get(ASKED) ?? "").split(", "),
      }));
    },
    [Symbol.asyncDispose]: close,
  };
}

interface Sent {
  readonly requests?: number;
  readonly minBlock?: string;
  readonly method?: string;
  readonly params?: readonly unknown[];
}

/** The configuration of the page, with other ports. */
function recipe(ports: Readonly<Record<keyof typeof PAGE_PORTS, number>>): string {
  const page = readFileSync(join(ROOT, "docs/operators/replicas.md"), "utf8");
  const [, text = ""] = page.match(/```nginx\n(.*?)```/s) ?? [];
  return Object.entries(PAGE_PORTS).reduce((changed, [name, port]) => {
    const parts = changed.split(new RegExp(`\\b${port}\\b`));
    expect(parts, `the port ${port} in the recipe`).toHaveLength(2);
    return parts.join(String(ports[name as keyof typeof PAGE_PORTS]));
  }, text);
}

function nameOf(node: { port(): number }): string {
  return `127.0.0.1:${node.port()}`;
}
