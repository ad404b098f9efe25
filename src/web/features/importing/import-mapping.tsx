import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type {
  CampoImportar,
  ColumnasLeidas,
  Correspondencia,
  CorrespondenciaHoja,
  DestinoImportar,
  HojaLeida,
} from '../../../contract/imports.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { Select } from '../../ui/forms/select.tsx';
import classes from './importing.module.css';

export interface ImportMappingProps {
  readonly columnas: ColumnasLeidas;
  /** The previous mapping, when a user returns to change it. */
  readonly said?: Correspondencia | undefined;
  readonly fileName: string;
  readonly isReading: boolean;
  readonly onConfirm: (columnas: Correspondencia) => void;
  readonly onCancel: () => void;
}

const DESTINATIONS: readonly DestinoImportar[] = ['Clientes', 'Productos', 'Facturas'];
const NONE = 'no';

/** What a sheet becomes, while it is being chosen. */
interface Mapped {
  readonly destino: DestinoImportar | null;
  readonly columnas: Readonly<Record<string, number>>;
  readonly fijos: Readonly<Record<string, string>>;
}

/** A file of another program: which of its columns is which of ours. */
export function ImportMapping(props: ImportMappingProps) {
  const { columnas, said, fileName, isReading, onConfirm, onCancel } = props;
  const { hojas, campos } = columnas;
  const [decimal, setDecimal] = useState(said?.decimal ?? columnas.decimal);
  const [mapped, setMapped] = useState<readonly Mapped[]>(() =>
    hojas.map((hoja) => (said ? mappedAsSaid(hoja, said) : mappedTo(hoja, hoja.destino, campos))),
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const change = (index: number, next: Mapped) => setMapped(mapped.with(index, next));
  const chosen = mapped.flatMap((one, index) => {
    const hoja = hojas[index];
    return one.destino && hoja ? [{ ...one, destino: one.destino, hoja }] : [];
  });
  const missing = chosen.flatMap((one) =>
    missingTitles(campos[one.destino] ?? [], one).map((titles) => `${titles} (${one.destino})`),
  );
  const isTwice = new Set(chosen.map(({ destino }) => destino)).size < chosen.length;
  const problem = isTwice
    ? 'Dos hojas no pueden ser lo mismo. Impórtalas de una en una.'
    : chosen.length === 0
      ? 'Elige qué hay en el archivo.'
      : missing.length > 0
        ? `Falta decir qué columna es: ${missing.join(', ')}.`
        : null;
  const confirm = () =>
    onConfirm({
      decimal,
      hojas: chosen.map(
        ({ destino, columnas: own, fijos, hoja }): CorrespondenciaHoja => ({
          hoja: hoja.hoja,
          fila: hoja.fila,
          destino,
          columnas: own,
          fijos,
        }),
      ),
    });

  return (
    <section className={classes.review} aria-labelledby="importar-columnas">
      <h2 id="importar-columnas" ref={heading} tabIndex={-1} className={classes.heading}>
        ¿Qué es cada columna de {fileName}?
      </h2>
      <p className="hu-muted">
        No es nuestra plantilla, así que dinos qué hay en cada columna. Hemos reconocido por su
        nombre las que hemos podido. Nada se guarda todavía.
      </p>
      {hojas.map((hoja, index) => (
        <SheetMapping
          key={hoja.hoja}
          hoja={hoja}
          campos={campos}
          mapped={mapped[index] as Mapped}
          onChange={(next) => change(index, next)}
        />
      ))}
      {chosen.some(({ destino }) => destino !== 'Clientes') && (
        <div className={`hu-card ${classes.mapping}`}>
          <Select
            label="Los decimales llevan"
            className={classes.decimal ?? ''}
            data={[
              { value: ',', label: 'Coma: 1.234,50' },
              { value: '.', label: 'Punto: 1,234.50' },
            ]}
            value={decimal}
            allowDeselect={false}
            onChange={(value) => setDecimal(value === '.' ? '.' : ',')}
          />
        </div>
      )}
      <p role="status" className="hu-muted">
        {problem}
      </p>
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel} disabled={isReading}>
          Subir otro archivo
        </Button>
        <Button onClick={confirm} loading={isReading} disabled={problem !== null}>
          Ver qué pasará
        </Button>
      </div>
    </section>
  );
}

/** The mandatory fields without a column: two of which one is enough are told together. */
function missingTitles(campos: readonly CampoImportar[], { columnas, fijos }: Mapped): string[] {
  const isGiven = (clave: string) => clave in columnas || Boolean(fijos[clave]);
  return campos.flatMap(({ clave, titulo, obligatorio, oBien }) => {
    if (isGiven(clave)) return [];
    if (oBien === undefined) return obligatorio ? [titulo] : [];
    const other = campos.find((campo) => campo.clave === oBien)?.titulo ?? '';
    return isGiven(oBien) ? [] : [`${titulo} o ${other}`];
  });
}

interface SheetMappingProps {
  readonly hoja: HojaLeida;
  readonly campos: ColumnasLeidas['campos'];
  readonly mapped: Mapped;
  readonly onChange: (mapped: Mapped) => void;
}

function SheetMapping({ hoja, campos, mapped, onChange }: SheetMappingProps) {
  const { destino } = mapped;
  const offered = offeredCampos(destino ? campos[destino] : [], mapped);
  const used = new Set(offered.map(({ clave }) => mapped.columnas[clave]));
  const persons = personsOf(hoja, mapped, used);
  const titles = (isMeant: (indice: number) => boolean) =>
    hoja.columnas
      .filter(({ indice, titulo }) => titulo && isMeant(indice))
      .map(({ titulo }) => `«${titulo}»`);
  const unused = titles((indice) => !used.has(indice) && !persons.includes(indice));
  return (
    <div className={`hu-card ${classes.mapping}`}>
      <div className={classes.mappingHead}>
        <div>
          <h3 className={classes.mappingTitle}>{hoja.hoja}</h3>
          <p className="hu-muted">
            {cuenta(hoja.filas, 'fila', 'filas')} · títulos en la fila {entero(hoja.fila)}
          </p>
        </div>
        <Select
          label="Qué hay aquí"
          data={[
            ...DESTINATIONS.map((value) => ({ value: value as string, label: value as string })),
            { value: NONE, label: 'No importar' },
          ]}
          value={destino ?? NONE}
          allowDeselect={false}
          onChange={(value) =>
            onChange(mappedTo(hoja, DESTINATIONS.find((one) => one === value) ?? null, campos))
          }
        />
      </div>
      {destino && (
        <ul className={classes.fields} aria-label={`Columnas de ${hoja.hoja}`}>
          {offered.map((campo) => (
            <FieldMapping
              key={campo.clave}
              campo={campo}
              hoja={hoja}
              mapped={mapped}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
      {persons.length > 0 && (
        <p className={`hu-muted ${classes.unused}`}>
          Donde el nombre está vacío, se toma de{' '}
          {titles((indice) => persons.includes(indice)).join(' y ')}.
        </p>
      )}
      {destino && unused.length > 0 && (
        <p className={`hu-muted ${classes.unused}`}>No se importan: {unused.join(', ')}.</p>
      )}
    </div>
  );
}

/** The columns that name a client without a name, unless the user gave one of them, or the name, another meaning. */
function personsOf(
  { personas = [], propuestas }: HojaLeida,
  { destino, columnas }: Mapped,
  used: ReadonlySet<number | undefined>,
): readonly number[] {
  const isKept = destino === 'Clientes' && columnas.Name === propuestas.Clientes?.Name;
  return isKept && !personas.some((indice) => used.has(indice)) ? personas : [];
}

/** What is added to another field is offered once that one has a column. */
function offeredCampos(
  campos: readonly CampoImportar[] = [],
  { columnas }: Mapped,
): readonly CampoImportar[] {
  const offered: CampoImportar[] = [];
  const isOffered = (clave: string) => offered.some((campo) => campo.clave === clave);
  for (const campo of campos) {
    const { sigueA } = campo;
    if (sigueA === undefined || (sigueA in columnas && isOffered(sigueA))) offered.push(campo);
  }
  return offered;
}

interface FieldMappingProps {
  readonly campo: CampoImportar;
  readonly hoja: HojaLeida;
  readonly mapped: Mapped;
  readonly onChange: (mapped: Mapped) => void;
}

function FieldMapping({ campo, hoja, mapped, onChange }: FieldMappingProps) {
  const { clave, titulo, obligatorio, ayuda, fijo } = campo;
  const column = mapped.columnas[clave];
  const samples = hoja.columnas.find(({ indice }) => indice === column)?.ejemplos ?? [];
  const choose = (value: string | null) => {
    const { [clave]: _before, ...others } = mapped.columnas;
    const isColumn = value !== null && value !== NONE;
    onChange({
      ...mapped,
      columnas: isColumn ? { ...others, [clave]: Number(value) } : others,
    });
  };
  const fix = (value: string) =>
    onChange({ ...mapped, fijos: { ...mapped.fijos, [clave]: value } });
  return (
    <li className={classes.field}>
      <Select
        label={titulo}
        withAsterisk={obligatorio}
        description={column === undefined ? ayuda : undefined}
        searchable={hoja.columnas.length > 12}
        data={[
          {
            value: NONE,
            label: fijo ? 'Lo mismo para todas las filas' : 'Ninguna columna',
          },
          ...hoja.columnas.map((one) => ({
            value: String(one.indice),
            label: one.titulo || `Columna ${one.indice + 1}`,
          })),
        ]}
        value={column === undefined ? NONE : String(column)}
        allowDeselect={false}
        onChange={choose}
      />
      {column !== undefined && (
        <p className={classes.samples}>
          {samples.length > 0
            ? `Por ejemplo: ${samples.join(' · ')}`
            : 'Sin datos en las primeras filas'}
        </p>
      )}
      {column === undefined && fijo && fijo.valores.length > 0 && (
        <Select
          aria-label={`${titulo}, para todas las filas`}
          placeholder="Elige"
          data={fijo.valores.map(([value, label]) => ({ value, label }))}
          value={mapped.fijos[clave] || null}
          allowDeselect={false}
          mt={6}
          onChange={(value) => fix(value ?? '')}
        />
      )}
      {column === undefined && fijo && fijo.valores.length === 0 && (
        <TextInput
          aria-label={`${titulo}, para todas las filas`}
          value={mapped.fijos[clave] ?? ''}
          mt={6}
          onChange={(event) => fix(event.currentTarget.value)}
        />
      )}
    </li>
  );
}

function mappedAsSaid({ hoja }: HojaLeida, { hojas }: Correspondencia): Mapped {
  return hojas.find((said) => said.hoja === hoja) ?? { destino: null, columnas: {}, fijos: {} };
}

function mappedTo(
  { propuestas }: HojaLeida,
  destino: DestinoImportar | null,
  campos: ColumnasLeidas['campos'],
): Mapped {
  if (!destino) return { destino, columnas: {}, fijos: {} };
  const fijos = (campos[destino] ?? []).flatMap(({ clave, fijo }) =>
    fijo ? [[clave, fijo.inicial] as const] : [],
  );
  return { destino, columnas: propuestas[destino] ?? {}, fijos: Object.fromEntries(fijos) };
}
