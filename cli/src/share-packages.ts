// Runs in the thread of module hooks: a plugin from outside gets the packages of the running program.

interface Context {
  readonly parentURL?: string;
}

type Resolve = (specifier: string, context: Context) => Promise<unknown>;

let program = "";

/** Takes the place of the program, which its own packages are resolved from. */
export function initialize(data: { readonly program: string }): void {
  program = data.program;
}

/** Resolves `@plinth/…` from the program first, so that there is one copy of the core. */
export async function resolve(
  specifier: string,
  context: Context,
  next: Resolve,
): Promise<unknown> {
  if (!specifier.startsWith("@plinth/")) return next(specifier, context);
  try {
    return await next(specifier, { ...context, parentURL: program });
  } catch {
    // Not one of ours: a third party may publish below the same scope.
    return next(specifier, context);
  }
}
