import { messageOf, type Plugin, toOptionName } from "@plinth/core";
import { createManifest, type PluginManifest } from "@plinth/node/manifest";

/** The contents of a plugin: a line per kind, `methods: hello_greet`. */
export function describePlugin(plugin: Plugin): readonly string[] {
  try {
    const lines = describeManifest(createManifest(plugin));
    return lines.length === 0 ? ["nothing listed"] : lines;
  } catch (error) {
    return [
      ...describeDeclared(plugin),
      `the rest is unknown without its options: ${messageOf(error)}`,
    ];
  }
}

/** A line for each kind of item in a manifest. */
export function describeManifest(manifest: PluginManifest): readonly string[] {
  const { options, provides, namespaces, commands, engines, drivers, routes, hooks } = manifest;
  return [
    lineOf("options", Object.keys(options).map(toFlag)),
    lineOf("services", provides),
    lineOf(
      "methods",
      namespaces.flatMap(({ name, methods }) => methods.map((each) => `${name}_${each.name}`)),
    ),
    lineOf(
      "commands",
      commands.map(({ id }) => id),
    ),
    lineOf(
      "engines",
      engines.map(({ key }) => key),
    ),
    lineOf("drivers", Object.values(drivers).flat()),
    lineOf("routes", routes),
    lineOf("hooks", hooks),
  ].flat();
}

function describeDeclared({ options = {}, provides = [] }: Plugin): readonly string[] {
  return [
    lineOf("options", Object.keys(options).map(toFlag)),
    lineOf(
      "services",
      provides.map(({ id }) => id),
    ),
  ].flat();
}

function toFlag(key: string): string {
  return `--${toOptionName(key)}`;
}

function lineOf(kind: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${kind}: ${items.join(", ")}`];
}
