import { Button, Drawer } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconDiscount, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { findVatGroup } from '../../../../domain/vat.ts';
import { FindingNotes } from './finding-note.tsx';
import classes from './line-card.module.css';
import { lineCells, problemsOf, useLineActions } from './line-cells.tsx';
import { LineMenu } from './line-menu.tsx';
import { LineLevel, type LineRowProps } from './line-row.tsx';
import { canBecomeProduct, rarerTaxName, shortTax, tidyDiscount } from './lines.ts';
import { useLiveLine } from './use-live-line.ts';

export interface LineCardProps extends LineRowProps {
  readonly onOpen: (id: string) => void;
}

/** A line on a phone: its contents, and with one tap the sheet where it is edited. */
export const LineCard = memo(function LineCard(props: LineCardProps) {
  const { line, position, context, findings, total, onOpen } = props;
  const tax = shortTax(findVatGroup(context.groups, line.tax, context.typeClient), line.tax);
  const problems = problemsOf(line, findings, context);
  const actions = useLineActions(line.id, context);
  const addDiscount = () => {
    actions.addDiscount();
    onOpen(line.id);
  };
  return (
    <li className={`hu-card ${classes.card}`}>
      <div className={classes.line}>
        <button
          type="button"
          className={classes.open}
          data-place={`${line.id}.description`}
          aria-label={`Editar la línea ${position}: ${line.description || 'sin descripción'}`}
          onClick={() => onOpen(line.id)}
        >
          <span className={classes.what}>{line.description || 'Sin descripción'}</span>
          <span className={classes.how}>
            <span>
              {line.quantity || '1'} × {line.price || '0,00'}
              {line.discount && ` − ${tidyDiscount(line.discount)} %`} · {tax}{' '}
              <LineLevel {...props} />
            </span>
            <span className={classes.total}>{total} €</span>
          </span>
        </button>
        {!context.isReadOnly && (
          <LineMenu
            position={position}
            isFirst={props.isFirst}
            isLast={props.isLast}
            canBecomeProduct={canBecomeProduct(line)}
            hasDiscount={context.hasDiscounts}
            actions={{ ...actions, addDiscount }}
          />
        )}
      </div>
      <FindingNotes findings={problems} fix={props.fix} />
    </li>
  );
});

export interface LineSheetProps extends LineRowProps {
  /** The place of the field that gets the focus, if one was asked for. */
  readonly first?: string | undefined;
  readonly onClose: () => void;
  /** Goes on to the next line, which may be the empty one. */
  readonly onNext: () => void;
}

/** The fields of one line, in a sheet from the bottom, tall enough for fingers. */
export function LineSheet(props: LineSheetProps) {
  const { position, context, findings, isTail, total, fix, onClose, onNext } = props;
  const line = useLiveLine(props.line, context.live);
  const { id } = line;
  const { isReadOnly } = context;
  const problems = problemsOf(line, findings, context);
  const taxName = rarerTaxName(findVatGroup(context.groups, line.tax, context.typeClient));
  const actions = useLineActions(id, context);
  const cells = lineCells(line, context, {
    actions,
    problems,
    placeholder: 'Producto o texto libre',
    labelOf: (label) => label,
    first: props.first,
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="auto"
      title={isTail ? 'Línea nueva' : `Línea ${position}`}
      closeButtonProps={{ 'aria-label': 'Cerrar' }}
      classNames={{ content: classes.sheet, body: classes.body }}
    >
      <div className={classes.fields}>
        <Field label="Descripción" isWide>
          {cells.description}
        </Field>
        <Field label="Cantidad">{cells.quantity}</Field>
        <Field label={context.labels.price}>{cells.price}</Field>
        {cells.discount !== null && (
          <Field label="Descuento, %" isWide={taxName !== undefined}>
            {cells.discount}
          </Field>
        )}
        <Field label="Impuesto" help={taxName} isWide={taxName !== undefined}>
          {cells.tax}
        </Field>
        {cells.extra && (
          <Field label={cells.extra.label} help={cells.extra.help} isWide>
            {cells.extra.field}
          </Field>
        )}
        <div
          className={classes.sum}
          data-wide={taxName !== undefined || cells.discount !== null || undefined}
        >
          <span>{context.labels.total}</span>
          <span className={classes.total}>{total} €</span>
        </div>
      </div>
      <FindingNotes findings={problems} fix={fix} />
      {!isReadOnly && !context.hasDiscounts && (
        <Button
          variant="subtle"
          color="gray"
          className={classes.discount}
          leftSection={<IconDiscount size={16} stroke={1.8} />}
          onClick={actions.addDiscount}
        >
          Añadir descuento
        </Button>
      )}
      {!isReadOnly && !isTail && (
        <div className={classes.tools}>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconArrowUp size={16} stroke={1.8} />}
            disabled={props.isFirst}
            onClick={() => actions.move(-1)}
          >
            Subir
          </Button>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconArrowDown size={16} stroke={1.8} />}
            disabled={props.isLast}
            onClick={() => actions.move(1)}
          >
            Bajar
          </Button>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={16} stroke={1.8} />}
            onClick={() => {
              actions.remove();
              onClose();
            }}
          >
            Eliminar
          </Button>
        </div>
      )}
      <div className={classes.buttons}>
        {!isReadOnly && (
          <Button variant="default" onClick={onNext}>
            Línea siguiente
          </Button>
        )}
        <Button onClick={onClose}>Listo</Button>
      </div>
    </Drawer>
  );
}

/** The label is drawn here; the field inside has its own accessible name. */
function Field({
  label,
  help,
  isWide,
  children,
}: {
  readonly label: string;
  readonly help?: string | undefined;
  readonly isWide?: boolean;
  readonly children: React.ReactNode;
}) {
  return (
    <div className={classes.field} data-wide={isWide || undefined}>
      <span className={classes.label} aria-hidden="true">
        {label}
      </span>
      <div className={classes.box}>{children}</div>
      {help && <p className={classes.help}>{help}</p>}
    </div>
  );
}
