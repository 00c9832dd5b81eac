import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@plinth/core";
import { runNpm } from "./npm.js";
import { type LoadedPlugin, loadPlugin } from "./plugin-source.js";

/** Packages by name, each with where it came from. */
export type Packages = Readonly<Record<string, string>>;

/** The plugins that are installed in a folder of their own. */
export class InstalledPlugins {
  readonly home: string;

  constructor(home: string) {
    this.home = home;
  }

  /** The installed packages. */
  async packages(): Promise<Packages> {
    const manifest = join(this.home, "package.json");
    if (!existsSync(manifest)) return {};
    return JSON.parse(await readFile(manifest, "utf8")).dependencies ?? {};
  }

  /** The version of an installed package. */
  async versionOf(name: string): Promise<string> {
    const path = join(this.home, "node_modules", name, "package.json");
    return String(JSON.parse(await readFile(path, "utf8")).version);
  }

  /** Throws when no package of that name is installed; the message lists those that are. */
  async verify(name: string): Promise<void> {
    const installed = Object.keys(await this.packages());
    if (installed.includes(name)) return;
    const known = installed.length === 0 ? "none is" : `${installed.join(", ")} are`;
    throw new ConfigError("PLUGIN_UNKNOWN", {
      message: `no package "${name}" is installed; ${known} installed in ${this.home}`,
    });
  }

  /** Installs a package, a folder or a tarball; one that is no plugin is taken away again. */
  async install(source: string): Promise<LoadedPlugin> {
    await this.#prepare();
    const before = await this.packages();
    await runNpm(this.home, ["install", "--omit=dev", source]);
    const name = findInstalled(before, await this.packages(), source);
    return this.load(name).catch(async (error: unknown) => {
      await runNpm(this.home, ["uninstall", name]);
      throw error;
    });
  }

  /** Installs a package again from where it came from; a name of the registry in its newest version. */
  async update(name: string): Promise<void> {
    const source = (await this.packages())[name] ?? "";
    const isRange = !source.startsWith("file:");
    await runNpm(this.home, ["install", "--omit=dev", isRange ? `${name}@latest` : source]);
  }

  async remove(name: string): Promise<void> {
    await runNpm(this.home, ["uninstall", name]);
  }

  load(name: string): Promise<LoadedPlugin> {
    return loadPlugin(name, { config: this.home, working: this.home, installed: this.home });
  }

  async #prepare(): Promise<void> {
    await mkdir(this.home, { recursive: true });
    const manifest = join(this.home, "package.json");
    if (existsSync(manifest)) return;
    const content = { name: "plinth-plugins", private: true };
    await writeFile(manifest, `${JSON.stringify(content, null, 2)}\n`);
  }
}

/** The package that is new, or, when it was there before, the one whose source is the same. */
function findInstalled(before: Packages, after: Packages, source: string): string {
  const changed = Object.keys(after).find((name) => after[name] !== before[name]);
  const same = Object.entries(after).find(
    ([name, from]) => name === source || from.endsWith(source),
  );
  const name = changed ?? same?.[0];
  if (name !== undefined) return name;
  throw new ConfigError("PLUGIN_UNKNOWN", {
    message: `npm installed nothing new from "${source}"`,
  });
}
