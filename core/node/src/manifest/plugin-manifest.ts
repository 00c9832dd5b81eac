import type { CommandArguments } from "@plinth/core/cli";
import type { Activation, ListenerOptions } from "@plinth/core/kernel";
import type { KnownNamespace } from "../rpc/namespaces.js";
import type { OptionForms } from "./option-form.js";

/** The version of the manifest format; a node ignores others. */
export const MANIFEST_VERSION = 1;

/** The contents of a plugin as data: it can be listed without being loaded. */
export interface PluginManifest {
  readonly manifestVersion: number;
  readonly name: string;
  readonly isEssential: boolean;
  readonly options: OptionForms;
  readonly provides: readonly string[];
  readonly dependencies: readonly ManifestDependency[];
  readonly namespaces: readonly KnownNamespace[];
  readonly commands: readonly ManifestCommand[];
  readonly engines: readonly ManifestEngine[];
  /** Names of drivers by their contribution point. */
  readonly drivers: Readonly<Record<string, readonly string[]>>;
  /** All other contributions: keys by point. */
  readonly contributions: Readonly<Record<string, readonly string[]>>;
  readonly routes: readonly string[];
  readonly hooks: readonly string[];
  readonly listeners: readonly ListenerOptions[];
  /** Why every node loads it; `undefined` if it is loaded on demand. */
  readonly eager?: string;
  readonly activation: Activation;
}

/** A service that a plugin uses. */
export interface ManifestDependency {
  readonly id: string;
  readonly hint?: string;
  readonly isOptional: boolean;
}

/** A subcommand as listed. */
export interface ManifestCommand {
  readonly id: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly flags: OptionForms;
  readonly args?: CommandArguments;
  /** What it requires besides its own plugin; everything by default. */
  readonly uses?: ManifestUses;
}

/** The requirements of a command. */
export interface ManifestUses {
  readonly chain: boolean;
  readonly genesis: boolean;
  /** Ids of contribution points. */
  readonly points: readonly string[];
}

/** An engine by its key in genesis files. */
export interface ManifestEngine {
  readonly key: string;
  readonly isDefault: boolean;
  readonly mergesByTime: boolean;
  readonly followsMerge: boolean;
}
