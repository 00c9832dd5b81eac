import {
  configureNode,
  messageOf,
  Node,
  type Plugin,
  resolvePlugins,
  silentLogs,
  systemClock,
  toOptionName,
} from "@plinth/core";

/**
 * What a plugin adds to a node with these others: a line per kind, `methods: hello_greet`.
 *
 * Its `setup` runs with the default of every option. Where that is not possible, only what it declares is
 * listed, with the reason.
 */
export async function describePlugin(
  plugin: Plugin,
  others: readonly Plugin[],
): Promise<readonly string[]> {
  const declared = [
    lineOf(
      "options",
      Object.keys(plugin.options ?? {}).map((key) => `--${toOptionName(key)}`),
    ),
    lineOf(
      "services",
      (plugin.provides ?? []).map(({ id }) => id),
    ),
  ];
  const lines = [...declared, ...(await describeRegistered(plugin, others))].flat();
  return lines.length === 0 ? ["nothing that is listed"] : lines;
}

async function describeRegistered(
  plugin: Plugin,
  others: readonly Plugin[],
): Promise<readonly string[]> {
  try {
    const rest = others.filter(({ name }) => name !== plugin.name);
    const prepared = configureNode(resolvePlugins([...rest, plugin]), []);
    const node = await Node.register(prepared, { logs: silentLogs, clock: systemClock });
    const ofPlugin = ({ plugin: owner }: { readonly plugin: string }) => owner === plugin.name;
    const hooks = Object.values(node.hooks).flatMap((group) => Object.values(group));
    return [
      lineOf(
        "methods",
        node
          .methods()
          .filter(ofPlugin)
          .map(({ fullName }) => fullName),
      ),
      lineOf(
        "commands",
        node
          .commands()
          .filter(ofPlugin)
          .map(({ item }) => item.id),
      ),
      lineOf(
        "routes",
        node
          .routes()
          .filter(ofPlugin)
          .map(({ method, path }) => `${method} ${path}`),
      ),
      lineOf(
        "hooks",
        hooks.filter((hook) => hook.plugins().includes(plugin.name)).map(({ name }) => name),
      ),
    ].flat();
  } catch (error) {
    return [`the rest is not known without its options: ${messageOf(error)}`];
  }
}

function lineOf(kind: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${kind}: ${items.join(", ")}`];
}
