import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { freePort } from "../support/free-port.js";
import { PROGRAM, runProgram } from "../support/program.js";
import type { TemporaryFolder } from "../support/temporary-folder.js";

/** A private transaction manager process. */
export class EnclaveProcess {
  readonly key: string;
  readonly peerUrl: string;
  /** Where its database is. */
  readonly dataPath: string;
  /** Its address for its node. */
  readonly nodeUrl: string;
  readonly #config: string;
  readonly #keyFile: string;
  #child: ChildProcess | undefined;
  #output = "";

  private constructor(parts: {
    key: string;
    peerUrl: string;
    dataPath: string;
    keyFile: string;
    nodeUrl: string;
    config: string;
  }) {
    this.key = parts.key;
    this.peerUrl = parts.peerUrl;
    this.dataPath = parts.dataPath;
    this.nodeUrl = parts.nodeUrl;
    this.#config = parts.config;
    this.#keyFile = parts.keyFile;
  }

  /** Its private key, as in the file. */
  get privateKey(): Buffer {
    const { data } = JSON.parse(readFileSync(this.#keyFile, "utf8"));
    return Buffer.from(data.bytes, "base64");
  }

  /** Creates this many that know each other; none of them is running yet. */
  static async create(
    folder: TemporaryFolder,
    count: number,
    more = "",
    /**
     * The address of a manager for others, by its number and its port: a gate in front of it, or
     * that port.
     */
    reachedAt: (index: number, port: number) => Promise<number> = async (_, port) => port,
  ): Promise<readonly EnclaveProcess[]> {
    const ports = await Promise.all(
      Array.from({ length: count }, async () => [await freePort(), await freePort()] as const),
    );
    const urls = await Promise.all(
      ports.map(async ([port], index) => `http://127.0.0.1:${await reachedAt(index, port)}/`),
    );
    return Promise.all(
      ports.map(async ([peerPort, nodePort], index) => {
        const name = `m${index}`;
        const { code, stderr } = await runProgram(
          ["enclave", "keygen", `--to=${folder.file(name)}`],
          { folder: folder.path },
        );
        if (code !== 0) throw new Error(stderr);
        const config = folder.file(`${name}.toml`);
        const lines = [
          `url = "${urls[index]}"`,
          `peer-port = ${peerPort}`,
          `node-port = ${nodePort}`,
          `key-files = ["${name}.key"]`,
          `data-path = "${name}-data"`,
          `peers = ${JSON.stringify(urls)}`,
          more,
        ];
        writeFileSync(config, `${lines.join("\n")}\n`);
        return new EnclaveProcess({
          key: readFileSync(folder.file(`${name}.pub`), "utf8"),
          peerUrl: urls[index] ?? "",
          dataPath: folder.file(`${name}-data`),
          keyFile: folder.file(`${name}.key`),
          nodeUrl: `http://127.0.0.1:${nodePort}`,
          config,
        });
      }),
    );
  }

  /** Resolves when it responds. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, "enclave", `--config-file=${this.#config}`], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      const read = (text: Buffer) => {
        this.#output += text;
        if (text.includes("Serving the node")) resolve();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", () => reject(new Error(`the manager ended: ${this.#output}`)));
    });
  }

  /** All of its output. */
  get output(): string {
    return this.#output;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Sends a request like its node. */
  async ask(path: string, body: object): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.nodeUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Sends a payload; returns its key. */
  async send(text: string, to: readonly EnclaveProcess[]): Promise<string> {
    const payload = Buffer.from(text).toString("base64");
    const { status, text: answer } = await this.ask("/send", {
      payload,
      from: this.key,
      to: to.map(({ key }) => key),
    });
    if (status !== 200) throw new Error(`${status} ${answer}`);
    return JSON.parse(answer).key;
  }

  /** The text of a payload; `undefined` if it is missing. */
  async receive(key: string): Promise<string | undefined> {
    const { status, text } = await this.ask("/receive", { key, to: null });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`${status} ${text}`);
    return Buffer.from(JSON.parse(text).payload, "base64").toString();
  }

  /** The managers it knows, and its pending deliveries. */
  async status(): Promise<{
    peers: { url: string; isKnown: boolean }[];
    undelivered: { recipient: string; count: number }[];
    refusedDeletions: { privacyGroupId: string; from: string }[];
  }> {
    const response = await fetch(`${this.nodeUrl}/plinth/status`);
    return JSON.parse(await response.text());
  }

  /** Its Prometheus metrics. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.nodeUrl}/metrics`)).text();
  }

  /** Whether it knows this many others. */
  async knows(count: number): Promise<boolean> {
    return (await this.status()).peers.filter(({ isKnown }) => isKnown).length >= count;
  }
}
