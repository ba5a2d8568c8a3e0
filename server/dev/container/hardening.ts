import { parse } from "yaml";

type Service = {
  init?: boolean;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
};

/** What `compose.yaml` allows a service, as options of `docker run` and `podman run`: what is tested is what is deployed. */
export function hardeningOf(compose: string, name: string): string[] {
  const { services } = parse(compose, { merge: true }) as { services: Record<string, Service | undefined> };
  const service = services[name];
  if (!service) throw new Error(`The compose file has no service ${name}.`);
  const { init, read_only, tmpfs, cap_drop, cap_add, security_opt, mem_limit, pids_limit } = service;
  const each = (option: string, values: readonly string[] = []) => values.flatMap((value) => [option, value]);
  return [
    ...(init ? ["--init"] : []),
    ...(read_only ? ["--read-only"] : []),
    ...each("--tmpfs", tmpfs),
    ...each("--cap-drop", cap_drop),
    ...each("--cap-add", cap_add),
    ...each("--security-opt", security_opt),
    ...(mem_limit ? ["--memory", mem_limit] : []),
    ...(pids_limit ? ["--pids-limit", String(pids_limit)] : []),
  ];
}
