import { createRandom } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { EnclaveProcess } from "./enclave-process.js";

/** `npm run long -- enclave` kills a manager 200 times. */
const KILLS = Number(process.env.PLINTH_ENCLAVE_KILLS ?? 2);
const PATIENCE = { timeout: 60_000 };

async function startAll(managers: readonly EnclaveProcess[]): Promise<void> {
  await Promise.all(managers.map((manager) => manager.start()));
  for (const manager of managers) {
    await expect.poll(() => manager.knows(managers.length - 1), PATIENCE).toBe(true);
  }
}

describe("three managers as processes", () => {
  it("exchange payloads and groups, and report why a send fails", async () => {
    using folder = temporaryFolder();
    const managers = await EnclaveProcess.create(folder, 3);
    const [a, b, c] = managers as [EnclaveProcess, EnclaveProcess, EnclaveProcess];
    try {
      await startAll(managers);
      const key = await a.send("for b", [b]);
      expect(await Promise.all(managers.map((manager) => manager.receive(key)))).toEqual([
        "for b",
        "for b",
        undefined,
      ]);
      const order = { addresses: [a.key, c.key], from: a.key, name: "two", description: null };
      const group = JSON.parse((await a.ask("/createPrivacyGroup", order)).text);
      const found = await c.ask("/findPrivacyGroup", { addresses: [c.key, a.key] });
      expect(JSON.parse(found.text)).toEqual([group]);
      const { privacyGroupId } = group;
      expect((await c.ask("/deletePrivacyGroup", { privacyGroupId, from: c.key })).status).toBe(
        200,
      );
      expect((await a.ask("/retrievePrivacyGroup", { privacyGroupId })).status).toBe(404);

      const metrics = await a.metrics();
      expect(metrics).toContain("plinth_enclave_payloads_sent_total 1\n");
      expect(metrics).toContain("plinth_enclave_peers 2\n");
      expect(metrics).toContain('plinth_enclave_requests_total{path="/send",status="200"} 1\n');

      await c.stop("SIGKILL");
      await expect(a.send("for c", [b, c])).rejects.toThrow(
        /^410 .*Connection error while communicating with http:/s,
      );
      await expect(a.send("for c", [c])).rejects.toThrow(
        `404 Recipient not found for key: ${c.key}`,
      );
      await c.start();
      await expect.poll(() => a.knows(2), PATIENCE).toBe(true);
      expect(await c.receive(await a.send("back", [c]))).toBe("back");
    } finally {
      await Promise.all(managers.map((manager) => manager.stop()));
    }
  });

  it("deliver missed payloads when a recipient is back", async () => {
    using folder = temporaryFolder();
    const managers = await EnclaveProcess.create(folder, 3, "redelivery = true");
    const [a, b, c] = managers as [EnclaveProcess, EnclaveProcess, EnclaveProcess];
    try {
      await startAll(managers);
      await c.stop();
      const keys = await Promise.all([0, 1, 2].map((number) => a.send(`missed ${number}`, [b, c])));
      expect((await a.status()).undelivered).toMatchObject([{ recipient: c.key, count: 3 }]);
      await a.stop("SIGKILL");
      await Promise.all([a.start(), c.start()]);

      await expect.poll(async () => (await a.status()).undelivered, PATIENCE).toEqual([]);
      for (const [number, key] of keys.entries()) {
        expect(await c.receive(key)).toBe(`missed ${number}`);
      }
    } finally {
      await Promise.all(managers.map((manager) => manager.stop()));
    }
  });

  it(
    `lose no acknowledged payload over ${KILLS} kills under load`,
    async () => {
      using folder = temporaryFolder();
      const random = createRandom(11);
      const managers = await EnclaveProcess.create(folder, 3, "redelivery = true");
      const acknowledged = new Map<string, string>();
      let isOver = false;
      const load = async (index: number) => {
        const sender = managers[index];
        const others = managers.filter((manager) => manager !== sender);
        for (let number = 0; !isOver && sender !== undefined; number++) {
          const text = `secret ${index} ${number}`;
          const key = await sender.send(text, others).catch(() => undefined);
          if (key === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
          else acknowledged.set(key, text);
        }
      };
      try {
        await startAll(managers);
        const loads = managers.map((_, index) => load(index));
        for (let kill = 0; kill < KILLS; kill++) {
          const victim = managers[Math.floor(random() * managers.length)];
          await new Promise((resolve) => setTimeout(resolve, random() * 300));
          await victim?.stop("SIGKILL");
          await victim?.start();
        }
        isOver = true;
        await Promise.all(loads);
        for (const manager of managers) {
          await expect.poll(async () => (await manager.status()).undelivered, PATIENCE).toEqual([]);
        }

        expect(acknowledged.size).toBeGreaterThan(KILLS);
        for (const [key, text] of acknowledged) {
          const held = await Promise.all(managers.map((manager) => manager.receive(key)));
          expect(held).toEqual(managers.map(() => text));
        }
        const logs = managers.map(({ output }) => output).join("");
        expect(logs).not.toContain("secret");
        expect(logs).not.toContain("| ERROR");
      } finally {
        isOver = true;
        await Promise.all(managers.map((manager) => manager.stop()));
      }
    },
    120_000 + KILLS * 10_000,
  );
});
