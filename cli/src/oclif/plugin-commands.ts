import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command, Interfaces } from "@oclif/core";
import { commands } from "@oclif/plugin-plugins";
import { ConfigError, messageOf } from "@plinth/core";
import { changeHome } from "../plugin-home-changes.js";
import { inspectPackage, type PackageContent } from "./installed-package.js";
import {
  folderOf,
  listUserPackages,
  readPackage,
  settlePackages,
  type UserPackage,
} from "./user-packages.js";

/** The context of the commands about installed plugins. */
export interface PluginCommandSettings {
  /** The folder that plugins are installed in. */
  readonly home: string;
  readonly workingFolder: string;
}

/**
 * npm settings for everything the package does: install scripts never run; peer dependencies are
 * not installed, because the core and the kits are those of the running program; folders are
 * copied, so that a plugin does not change under a running node.
 */
const NPM_SETTINGS = {
  npm_config_ignore_scripts: "true",
  npm_config_legacy_peer_deps: "true",
  npm_config_install_links: "true",
  npm_config_audit: "false",
  npm_config_update_notifier: "false",
};

/** With a plugin of this name, packages not made for oclif are accepted; they are verified here. */
const TAKES_OTHERS = "@oclif/plugin-legacy";

/** The commands of oclif's package, modified where it does not follow our rules. */
export function pluginCommands(settings: PluginCommandSettings): Record<string, Command.Class> {
  const { home, workingFolder } = settings;
  const list = () => listUserPackages(home);

  /** Runs npm through the package, atomically: all of the change or nothing. */
  async function change<T>(config: Interfaces.Config, run: () => Promise<T>): Promise<T> {
    setForNpm(NPM_SETTINGS);
    const own = config.plugins.get(config.name);
    return changeHome(home, async () => {
      const before = list();
      await settlePackages(home, before);
      if (own !== undefined) config.plugins.set(TAKES_OTHERS, withoutCommands(own, TAKES_OTHERS));
      try {
        return await run();
      } finally {
        config.plugins.delete(TAKES_OTHERS);
      }
    });
  }

  /** The new or changed packages; throws if one is not a plugin. */
  async function settle(before: readonly UserPackage[]) {
    await settlePackages(home, before);
    return async (each: UserPackage) => ({ each, ...(await inspectPackage(home, each)) });
  }

  class Install extends commands["plugins:install"] {
    override async run(): Promise<void> {
      verifyGiven(this.argv, "plugins install", "NAME|FOLDER|TARBALL");
      this.argv = this.argv.map((word) => toSource(word, workingFolder));
      const installed = await change(this.config, async () => {
        const before = list();
        await super.run();
        const inspect = await settle(before);
        const sources = this.argv.filter((word) => !word.startsWith("-"));
        return Promise.all(findInstalled(before, list(), sources).map(inspect));
      });
      for (const { each, ...content } of installed) this.log(describeInstalled(each, content));
    }
  }

  class Update extends commands["plugins:update"] {
    static override strict = false;

    override async run(): Promise<void> {
      const [name] = this.argv.filter((word) => !word.startsWith("-"));
      const wanted = list().filter((each) => name === undefined || each.name === name);
      if (name !== undefined && wanted.length === 0) throw unknownPackage(home, name);
      this.parsed = true;
      const lines = await change(this.config, async () => {
        const versions = new Map(wanted.map((each) => [each.name, versionOf(home, each)]));
        for (const each of wanted) {
          if (each.type === "link") continue;
          await commands["plugins:install"].run([await newestOf(each)], this.config);
        }
        const inspect = await settle(wanted);
        return Promise.all(
          list()
            .filter((each) => versions.has(each.name))
            .map(async (each) => describeUpdated(await inspect(each), versions.get(each.name))),
        );
      });
      for (const text of lines) this.log(text);
    }
  }

  class Uninstall extends commands["plugins:uninstall"] {
    override async run(): Promise<void> {
      const names = verifyGiven(this.argv, "plugins uninstall", "NAME");
      for (const name of names) verifyInstalled(home, name, workingFolder);
      await change(this.config, async () => {
        const before = list();
        await super.run();
        await settle(before);
      });
      for (const name of names) {
        this.log(`Removed ${name}. Remove it from the configuration files that list it.`);
      }
    }
  }

  class Link extends commands["plugins:link"] {
    override async run(): Promise<void> {
      // Dependencies of a development folder are installed by its owner.
      this.argv = [...this.argv, "--no-install"];
      const linked = await change(this.config, async () => {
        const before = list();
        await super.run();
        const inspect = await settle(before);
        const root = resolve(workingFolder, this.argv.find((word) => !word.startsWith("-")) ?? ".");
        return Promise.all(
          list()
            .filter((each) => each.type === "link" && resolve(each.root ?? "") === root)
            .map(inspect),
        );
      });
      for (const { each, ...content } of linked) this.log(describeInstalled(each, content));
    }
  }

  class Reset extends commands["plugins:reset"] {
    override async run(): Promise<void> {
      await change(this.config, async () => {
        const before = list();
        await super.run();
        await settle(before);
      });
    }
  }

  class Inspect extends commands["plugins:inspect"] {
    override async run() {
      const result = await super.run();
      for (const each of list().filter(({ name }) => result.some((found) => found.name === name))) {
        this.log(["It adds", ...(await addsOf(home, each))].join("\n  "));
      }
      return result;
    }
  }

  class List extends commands.plugins {
    override async run() {
      if (this.jsonEnabled()) return super.run();
      await this.parse(commands.plugins);
      const packages = list();
      if (packages.length === 0) this.log(`No plugin is installed in ${home}.`);
      for (const each of packages) {
        const place = each.type === "link" ? ` (linked to ${each.root})` : "";
        const title = `${each.name} ${versionOf(home, each)}${place}`;
        this.log([title, ...(await addsOf(home, each))].join("\n  "));
      }
      return [];
    }
  }

  const classes = {
    plugins: List,
    "plugins:inspect": Inspect,
    "plugins:install": Install,
    "plugins:link": Link,
    "plugins:reset": Reset,
    "plugins:uninstall": Uninstall,
    "plugins:update": Update,
  };
  return Object.fromEntries(
    Object.entries(classes).map(([id, each]) => [id, Object.assign(each, { id }) as Command.Class]),
  );
}

/** npm reads its variables in any case, and the last one counts. */
function setForNpm(settings: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) {
    if (Object.hasOwn(settings, name.toLowerCase())) delete process.env[name];
  }
  Object.assign(process.env, settings);
}

function withoutCommands(plugin: Interfaces.Plugin, name: string): Interfaces.Plugin {
  return { ...plugin, name, isRoot: false, commands: [], commandIDs: [], topics: [] };
}

/** The positional arguments; oclif would read a missing one from standard input. */
function verifyGiven(argv: readonly string[], id: string, placeholder: string): readonly string[] {
  const words = argv.filter((word) => !word.startsWith("-"));
  if (words.length > 0 || argv.includes("-h")) return words;
  throw new ConfigError("ARGUMENT_MISSING", {
    message: `Missing required parameter: '<${placeholder}>'; usage: plinth ${id} ${placeholder}`,
  });
}

/** An existing path is installed from there; everything else is a name or an address for npm. */
function toSource(word: string, workingFolder: string): string {
  if (word.startsWith("-")) return word;
  const path = resolve(workingFolder, word);
  const looksLikePath = /^[./~]|\.tgz$/.test(word);
  if (!looksLikePath && !existsSync(join(path, "package.json"))) return word;
  if (existsSync(path)) return `file:${path}`;
  throw new ConfigError("PLUGIN_UNKNOWN", {
    message: `unknown plugin "${word}": there is no ${path}`,
  });
}

/** The new packages, and those reinstalled from the same source. */
function findInstalled(
  before: readonly UserPackage[],
  after: readonly UserPackage[],
  sources: readonly string[],
): readonly UserPackage[] {
  const isNew = (each: UserPackage) =>
    !before.some((known) => JSON.stringify(known) === JSON.stringify(each));
  const isNamed = ({ name, url }: UserPackage) =>
    sources.some((source) => source === url || source.replace(/(?<!^)@[^/]*$/, "") === name);
  return after.filter((each) => isNew(each) || isNamed(each));
}

/** The contents of a package; one that can no longer be loaded can still be updated or removed. */
async function addsOf(home: string, each: UserPackage): Promise<readonly string[]> {
  try {
    return (await inspectPackage(home, each)).adds;
  } catch (error) {
    return [messageOf(error)];
  }
}

function describeInstalled({ name, type }: UserPackage, content: PackageContent): string {
  const { version, plugin, adds } = content;
  const what = plugin === undefined ? "oclif plugin" : `plugin "${plugin}"`;
  return [
    `${type === "link" ? "Linked" : "Installed"} ${what} from ${name} ${version}. It adds`,
    ...adds.map((line) => `  ${line}`),
    ...(plugin === undefined ? [] : [`Add it to the configuration file:\n\nplugins = ["${name}"]`]),
  ].join("\n");
}

function describeUpdated(
  { each, version, adds }: PackageContent & { readonly each: UserPackage },
  before: string | undefined,
): string {
  const change = before === version ? `is still ${version}` : `${before} is now ${version}`;
  return [`${each.name} ${change}. It adds`, ...adds.map((line) => `  ${line}`)].join("\n");
}

/**
 * The source to reinstall a package from; a single version is replaced by the newest, a tag or
 * range is kept.
 */
async function newestOf({ name, url, tag = "latest" }: UserPackage): Promise<string> {
  if (url !== undefined) return url;
  const { default: semver } = await import("semver");
  return `${name}@${semver.valid(tag) === null ? tag : "latest"}`;
}

function versionOf(home: string, each: UserPackage): string {
  return readPackage(folderOf(home, each)).version ?? "";
}

/** Throws if there is no package of that name, or no link to that folder. */
function verifyInstalled(home: string, name: string, workingFolder: string): void {
  const isMeant = (each: UserPackage) =>
    each.name === name || (each.root !== undefined && each.root === resolve(workingFolder, name));
  if (!listUserPackages(home).some(isMeant)) throw unknownPackage(home, name);
}

function unknownPackage(home: string, name: string): ConfigError {
  const names = listUserPackages(home).map((each) => each.name);
  const known = names.length === 0 ? "none is" : `${names.join(", ")} are`;
  return new ConfigError("PLUGIN_UNKNOWN", {
    message: `no package "${name}" is installed; ${known} installed in ${home}`,
  });
}
