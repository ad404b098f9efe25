import { ActionIcon, Button } from '@mantine/core';
import { IconFileInvoice, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Hint } from '../hint.tsx';
import type { Column } from './data-table.tsx';
import classes from './list-page.module.css';

export interface RowActions<Row> {
  readonly edit: (row: Row) => void;
  readonly remove: (row: Row) => void;
  readonly editId: (row: Row) => string;
  /** What the buttons of a row add to their word. */
  readonly name: (row: Row) => string;
  /** What there is of a row in another list. */
  readonly link?: RowLink<Row> | undefined;
}

export interface RowLink<Row> {
  readonly label: string;
  readonly to: (row: Row) => string;
}

/** «Acción», the last column of a table of records. */
export function actionColumn<Row>(actions: RowActions<Row>, width: string): Column<Row> {
  return {
    key: 'action',
    header: 'Acción',
    width,
    align: 'right',
    bars: [80],
    cell: (row) => (
      <div className={classes.rowActions}>
        {actions.link && (
          <Hint label={actions.link.label}>
            <ActionIcon
              component={Link}
              to={actions.link.to(row)}
              aria-label={`${actions.link.label}: ${actions.name(row)}`}
            >
              <IconFileInvoice size={16} stroke={1.7} aria-hidden="true" />
            </ActionIcon>
          </Hint>
        )}
        <Hint label="Editar">
          <ActionIcon
            id={actions.editId(row)}
            aria-label={`Editar ${actions.name(row)}`}
            onClick={() => actions.edit(row)}
          >
            <IconPencil size={16} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        </Hint>
        <Hint label="Eliminar">
          <ActionIcon
            aria-label={`Eliminar ${actions.name(row)}`}
            onClick={() => actions.remove(row)}
          >
            <IconTrash size={16} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        </Hint>
      </div>
    ),
  };
}

/** The same actions in a list that unfolds, with their words. */
export function ItemActions<Row>({
  row,
  edit,
  remove,
  editId,
  name,
  link,
}: RowActions<Row> & { readonly row: Row }) {
  return (
    <div className={classes.itemActions}>
      <Button
        id={editId(row)}
        variant="default"
        leftSection={<IconPencil size={16} stroke={1.7} aria-hidden="true" />}
        aria-label={`Editar ${name(row)}`}
        onClick={() => edit(row)}
      >
        Editar
      </Button>
      {link && (
        <Button
          component={Link}
          to={link.to(row)}
          variant="default"
          aria-label={`${link.label}: ${name(row)}`}
        >
          {link.label}
        </Button>
      )}
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconTrash size={16} stroke={1.7} aria-hidden="true" />}
        aria-label={`Eliminar ${name(row)}`}
        onClick={() => remove(row)}
      >
        Eliminar
      </Button>
    </div>
  );
}
