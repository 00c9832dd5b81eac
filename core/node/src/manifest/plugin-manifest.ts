import type { CommandArguments } from "@plinth/core/cli";
import type { Activation, ListenerOptions } from "@plinth/core/kernel";
import type { KnownNamespace } from "../rpc/namespaces.js";
import type { OptionForms } from "./option-form.js";

/** The form of manifests; a node ignores those of another form. */
export const MANIFEST_VERSION = 1;

/** What a plugin brings, as data: it can be listed without being loaded. */
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
  /** Names of drivers by the point that they are contributed to. */
  readonly drivers: Readonly<Record<string, readonly string[]>>;
  /** Everything else that is contributed: keys by point. */
  readonly contributions: Readonly<Record<string, readonly string[]>>;
  readonly routes: readonly string[];
  readonly hooks: readonly string[];
  readonly listeners: readonly ListenerOptions[];
  /** Why every node loads it; `undefined` for one that is loaded when it is needed. */
  readonly eager?: string;
  readonly activation: Activation;
}

/** A service that a plugin uses. */
export interface ManifestDependency {
  readonly id: string;
  readonly hint?: string;
  readonly isOptional: boolean;
}

/** A sub-command as it is listed. */
export interface ManifestCommand {
  readonly id: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly flags: OptionForms;
  readonly args?: CommandArguments;
  /** What it works with beside its own plugin; everything when left out. */
  readonly uses?: ManifestUses;
}

/** What a command works with. */
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
