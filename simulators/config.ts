/** The process's settings, read from its environment once, at start. */
export interface SimulatorsConfig {
  /** Folder of all the state: records, requests, CA, captured mail. */
  readonly dir: string;
  /** 0 means any free port. */
  readonly ports: Readonly<Record<'aeat' | 'sello' | 'control' | 'smtp', number>> & {
    readonly redsys?: number;
    readonly bc?: number;
  };
  /** Initial `TiempoEsperaEnvio`, in seconds. */
  readonly tiempoEspera: number;
}

/** The initial wait of Orden HAC/1177/2024 art. 16.2. */
const TIEMPO_ESPERA = 60;

/** @throws {Error} naming the variable that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): SimulatorsConfig {
  const dir = env.SIMULADORES_DIR;
  if (!dir) throw new Error('Falta SIMULADORES_DIR: la carpeta donde guardar el estado.');
  return {
    dir,
    ports: readPorts(env.SIMULADORES_PUERTOS),
    tiempoEspera: readTiempoEspera(env.SIMULADOR_TIEMPO_ESPERA),
  };
}

function readPorts(text: string | undefined): SimulatorsConfig['ports'] {
  const ports = { aeat: 0, sello: 0, control: 0, smtp: 0, redsys: 0, bc: 0 };
  if (!text) return ports;
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    throw new Error('SIMULADORES_PUERTOS no es JSON.', { cause });
  }
  for (const [name, port] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(ports, name) || !Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new Error(
        `SIMULADORES_PUERTOS: «${name}» no es un puerto de aeat, sello, control, smtp, redsys o bc.`,
      );
    }
    ports[name as keyof typeof ports] = port;
  }
  return ports;
}

function readTiempoEspera(text: string | undefined): number {
  if (!text) return TIEMPO_ESPERA;
  if (!/^\d{1,4}$/.test(text)) {
    throw new Error('SIMULADOR_TIEMPO_ESPERA debe ser un número de segundos entre 0 y 9999.');
  }
  return Number(text);
}
