import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCrypto } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { fromBase64 } from "@plinth/kit-enclave";
import { HttpService, loadSodium, nodeRoutes } from "@plinth/plugin-enclave/api";
import { VECTORS } from "@plinth/testing";
import { expect, it } from "vitest";
import { MemoryManagers } from "../support/memory-managers.js";

interface Exchange {
  readonly id: number;
  readonly node: number;
  readonly path: string;
  readonly request: string;
  readonly status: number;
  readonly response: string;
  readonly injected?: boolean;
}

const FOLDER = join(VECTORS, "privacy-live");
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
const textOf = (base64: string) => Buffer.from(base64, "base64").toString();
const urlOf = (manager: number) => `http://127.0.0.1:900${manager}/`;
/** Requests that reach other managers. */
const DELIVERIES = new Set(["/send", "/createPrivacyGroup", "/deletePrivacyGroup"]);
const MAX_PAYLOAD_BYTES = 1_000_000;

/** Random values, as recorded and as generated here. */
class Chances {
  readonly #pairs: (readonly [recorded: string, here: string])[] = [];

  note(recorded: string, here: string): void {
    if (recorded !== here) this.#pairs.push([recorded, here]);
  }

  toHere(text: string): string {
    return this.#pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  }

  toRecorded(text: string): string {
    return this.#pairs.reduce((changed, [to, from]) => changed.replaceAll(from, to), text);
  }
}

it("managers respond to a recorded network's nodes like Tessera", async () => {
  await loadCrypto();
  const network = new MemoryManagers(await loadSodium());
  const services: HttpService[] = [];
  const ports: number[] = [];
  const urls = new Map<string, string>();
  for (const { node, publicKey, privateKey } of read("keys.json").manager) {
    const pair = {
      publicKey: fromBase64(publicKey, "publicKey"),
      privateKey: fromBase64(privateKey, "privateKey"),
    };
    const manager = await network.add(urlOf(node), pair);
    const service = new HttpService({
      host: "127.0.0.1",
      port: 0,
      routes: nodeRoutes(manager, { maxPayloadBytes: MAX_PAYLOAD_BYTES }),
      log: silentLogs.for("enclave"),
    });
    ports[node] = await service.listen();
    urls.set(publicKey, urlOf(node));
    services.push(service);
  }
  await network.meet();
  const ask = async (node: number, path: string, body: string) => {
    const headers = { "content-type": "application/json" };
    const url = `http://127.0.0.1:${ports[node]}${path}`;
    const response = await fetch(url, { method: "POST", headers, body });
    return { status: response.status, text: await response.text() };
  };

  const chances = new Chances();
  const counts = { equal: 0, chance: 0, injected: 0 };
  const differing: string[] = [];
  const exchanges: readonly Exchange[] = read("tessera-q2t.json").cases;
  for (const { id, node, path, request, status, response, injected } of exchanges) {
    if (injected === true) {
      counts.injected += 1;
      continue;
    }
    const recorded = textOf(response);
    if (DELIVERIES.has(path)) await setUp(network, { status, recorded, urls });
    const given = await ask(node, path, chances.toHere(textOf(request)));
    const isMade = status === 200 && (path === "/send" || path === "/createPrivacyGroup");
    if (isMade && given.status === 200) {
      const name = path === "/send" ? "key" : "privacyGroupId";
      chances.note(JSON.parse(recorded)[name], JSON.parse(given.text)[name]);
      counts.chance += 1;
    }
    const here = chances.toRecorded(given.text);
    if (given.status === status && sameText(recorded, here)) counts.equal += 1;
    else differing.push(`${id} ${path}: ${status} ${recorded} / ${given.status} ${here}`);
  }
  for (const service of services) await service.close();

  expect(differing).toEqual([]);
  expect(counts).toEqual({ equal: 413, chance: 61, injected: 1 });
});

/** The managers follow from the recorded responses. */
async function setUp(
  network: MemoryManagers,
  { status, recorded, urls }: { status: number; recorded: string; urls: Map<string, string> },
): Promise<void> {
  const missing = urls.get(/Recipient not found for key: (\S+)/.exec(recorded)?.[1] ?? "");
  const gone = /communicating with (\S+?)</.exec(recorded)?.[1] ?? missing;
  if (gone !== undefined) {
    network.down.add(gone);
  } else if (status === 200 && network.down.size > 0) {
    network.down.clear();
    await network.meet();
  }
}

/** Of an error page, only its subject counts. */
function sameText(recorded: string, here: string): boolean {
  if (!recorded.startsWith("<html>")) return recorded === here;
  const about = /Connection error while communicating with [^<]+/.exec(recorded)?.[0];
  return about !== undefined && here.includes(about);
}
