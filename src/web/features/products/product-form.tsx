import { Button, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Option } from '../../../contract/common.ts';
import type { Producto } from '../../../contract/parties.ts';
import { MAX_PRODUCT_NAME } from '../../../domain/product.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { Select } from '../../ui/forms/select.tsx';
import { useEscape } from '../../ui/forms/use-escape.ts';
import {
  normalizedPrice,
  type ProductDraft,
  type ProductErrors,
  productDraft,
  productErrors,
  productForm,
} from './product-draft.ts';
import classes from './product-form.module.css';

export interface ProductFormProps {
  readonly product: Producto | undefined;
  readonly units: readonly Option[];
  readonly taxes: readonly Option[];
  readonly isSaving: boolean;
  readonly onSave: (draft: ProductDraft) => void;
  readonly onCancel: () => void;
  readonly onDirtyChange: (isDirty: boolean, draft: ProductDraft) => void;
  /** Unsaved input from before, with which the form continues. */
  readonly typed?: ProductDraft | undefined;
}

/** The five fields of a product. Enter saves, Escape cancels. */
export function ProductForm(props: ProductFormProps) {
  const { product, units, taxes, isSaving, onSave, onCancel, onDirtyChange } = props;
  const [draft, setDraft] = useState(() => props.typed ?? productDraft(product));
  const [errors, setErrors] = useState<ProductErrors>(() =>
    props.typed ? productErrors(props.typed) : {},
  );
  const leaving = useEscape(onCancel);

  const change = (changed: Partial<ProductDraft>) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    setErrors({});
    onDirtyChange(true, next);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSaving) return;
    const found = productErrors(draft);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    onSave(productForm(draft));
  };

  return (
    <form
      className={classes.form}
      noValidate
      aria-label={product ? `Editar ${product.Name}` : 'Nuevo producto'}
      onSubmit={submit}
      {...leaving.formProps}
    >
      <div className={classes.grid}>
        <TextInput
          label="Código"
          placeholder={product ? '' : 'Automático'}
          maxLength={40}
          autoComplete="off"
          // Its invoices refer to it by its code.
          readOnly={product !== undefined}
          value={draft.No}
          onChange={(event) => change({ No: event.currentTarget.value })}
        />
        <TextInput
          label="Nombre"
          required
          autoFocus
          maxLength={MAX_PRODUCT_NAME}
          autoComplete="off"
          className={classes.name}
          value={draft.Name}
          error={errors.Name}
          onChange={(event) => change({ Name: event.currentTarget.value })}
        />
        <TextInput
          label="Precio"
          inputMode="decimal"
          placeholder="0,00"
          maxLength={40}
          autoComplete="off"
          value={draft.UnitPrice}
          error={errors.UnitPrice}
          rightSection={<span aria-hidden="true">€</span>}
          onChange={(event) => change({ UnitPrice: event.currentTarget.value })}
          onBlur={() =>
            draft.UnitPrice !== '' &&
            setDraft({ ...draft, UnitPrice: normalizedPrice(draft.UnitPrice) })
          }
        />
        <Select
          label="Unidad"
          data={[...units]}
          allowDeselect={false}
          {...leaving.selectProps}
          value={draft.UnitOfMeasure}
          onChange={(value) => change({ UnitOfMeasure: value ?? 'UD' })}
        />
        <Select
          label="Impuesto"
          placeholder="El habitual"
          data={[...taxes]}
          clearable
          {...leaving.selectProps}
          comboboxProps={{ width: 300, position: 'bottom-end' }}
          value={draft.VATProdPostingGroup || null}
          onChange={(value) => change({ VATProdPostingGroup: value ?? '' })}
        />
        <div className={classes.actions}>
          <Button variant="default" onClick={onCancel}>
            Cancelar
          </Button>
          <Button
            type="submit"
            leftSection={<IconCheck size={16} stroke={1.8} aria-hidden="true" />}
            aria-disabled={isSaving}
          >
            {isSaving ? 'Guardando…' : 'Guardar'}
          </Button>
        </div>
      </div>
    </form>
  );
}
