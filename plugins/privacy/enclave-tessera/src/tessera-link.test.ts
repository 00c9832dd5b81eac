import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EnclaveClient, EnclaveError, EnclaveUnreachable } from "@plinth/kit-enclave";
import { recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { openManagerTls } from "./manager-tls.js";
import { TesseraLink } from "./tessera-link.js";

const KEY = "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=";

/** A manager with the same response to every request. */
async function openManager(status: number, answer: string) {
  const requests: { path: string | undefined; type: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      requests.push({ path: request.url, type: request.headers["content-type"], body });
      response.writeHead(status).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const logs = recordLogs();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const link = new TesseraLink(url, logs.for("enclave-tessera"));
  return {
    client: new EnclaveClient(link),
    requests,
    logs,
    async [Symbol.asyncDispose]() {
      link.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("the link to a manager over HTTP", () => {
  it("does not wait for a manager that switches the protocol", async () => {
    const server = createServer((request) =>
      request.socket.end(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      ),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const link = new TesseraLink(url, recordLogs().for("enclave-tessera"));

    const posted = link.post("/send", {});

    await expect(posted).rejects.toThrow("the response switches protocols");
    link.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it("sends payloads as Besu does: base64 in base64", async () => {
    await using manager = await openManager(200, JSON.stringify({ key: KEY }));
    const from = Buffer.from(KEY, "base64");

    const key = await manager.client.send(new Uint8Array([0xc0]), { from, to: [from] });

    expect(Buffer.from(key).toString("base64")).toBe(KEY);
    const payload = Buffer.from("wA==").toString("base64");
    expect(manager.requests).toEqual([
      {
        path: "/send",
        type: "application/json",
        body: JSON.stringify({ payload, from: KEY, to: [KEY] }),
      },
    ]);
  });

  it("permanently rejects a response of more than 64 MiB, and logs it", async () => {
    await using manager = await openManager(200, "x".repeat(64 * 1024 * 1024 + 1));

    await expect(manager.client.receive(new Uint8Array(32), undefined)).rejects.toMatchObject({
      name: "EnclaveError",
      status: 413,
    });
    expect(manager.logs.entries.filter(({ level }) => level !== "debug")).toMatchObject([
      { level: "error", message: expect.stringContaining("exceeds 64 MiB") },
    ]);
  });

  it("reads payloads, and requests them with Orion's content type", async () => {
    const payload = Buffer.from("wA==").toString("base64");
    const answer = { payload, senderKey: KEY, privacyGroupId: KEY, more: 1 };
    await using manager = await openManager(200, JSON.stringify(answer));

    const received = await manager.client.receive(new Uint8Array(32), undefined);

    expect(received.payload).toEqual(new Uint8Array([0xc0]));
    expect(manager.requests[0]).toMatchObject({
      type: "application/vnd.orion.v1+json",
      body: expect.stringContaining('"to":null'),
    });
  });

  it.each([
    [404, "Message with hash x was not found"],
    [500, "out of order"],
    [201, "created"],
  ])("rejects with the manager's own status and text: %d", async (status, text) => {
    await using manager = await openManager(status, text);

    const asked = manager.client.retrieveGroup(KEY);

    await expect(asked).rejects.toThrow(EnclaveError);
    await expect(asked).rejects.toMatchObject({ status, message: text });
  });

  it.each(["", "[]", '{"privacyGroupId":7}'])("rejects the response %j", async (answer) => {
    await using manager = await openManager(200, answer);

    await expect(manager.client.retrieveGroup(KEY)).rejects.toThrow(EnclaveError);
  });

  it("waits until its timeout, and no longer", async () => {
    const server = createServer((_, response) => {
      setTimeout(() => response.end("late"), 300);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const link = new TesseraLink(url, recordLogs().for("enclave-tessera"));
    try {
      await expect(link.post("/x", {}, { timeoutMs: 50 })).rejects.toThrow(EnclaveUnreachable);
      expect(await link.post("/x", {}, { timeoutMs: 5000 })).toMatchObject({ body: "late" });
    } finally {
      link.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("names an unreachable manager", async () => {
    const manager = await openManager(200, "");
    await manager[Symbol.asyncDispose]();

    const asked = manager.client.retrieveGroup(KEY);

    await expect(asked).rejects.toThrow(EnclaveUnreachable);
    await expect(asked).rejects.toThrow(manager.client.name);
  });
});

describe("the TLS files for a manager", () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["an empty password", { keystorePasswordFile: "\n" }, "Keystore password file is empty: "],
    ["an invalid key store", { keystoreFile: "x" }, "Problem with privacy-tls-keystore-file: "],
    [
      "an invalid fingerprint",
      { knownEnclaveFile: "localhost:8888 ab:cd" },
      "Problem with privacy-tls-known-enclave-file: ",
    ],
  ])("are rejected with %s", async (_, texts, message) => {
    const folder = await mkdtemp(join(tmpdir(), "plinth-tls-"));
    try {
      const files: Record<string, string> = {};
      for (const [name, text] of Object.entries(texts)) {
        files[name] = join(folder, name);
        await writeFile(join(folder, name), text);
      }
      await expect(openManagerTls(files)).rejects.toThrow(message);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
