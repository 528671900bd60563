import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../state/texts.js';
import { Separator } from './basics.js';
import { argumentsSchema, initialValue, isMultiLine, kindOf, resolve, type Schema } from './schema.js';

/** Characters of a description that many fields may refer to. */
const SHOWN_DESCRIPTION = 2_000;

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly root: Schema;
  readonly isRequired: boolean;
  readonly value: unknown;
  /** undefined leaves the value out. */
  readonly onChange: (value: unknown) => void;
}

/** A control within a field. */
interface ControlProps extends FieldProps {
  readonly id: string;
  /** Refers to the description of the field. */
  readonly described: object;
}

/** A form made from a JSON Schema. */
export function SchemaForm(props: {
  readonly schema: Schema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
}) {
  const { schema: root, value, onChange } = props;
  const schema = argumentsSchema(root);
  if (Object.keys(schema.properties ?? {}).length === 0) return <p class="muted">{t('noArguments')}</p>;
  if (kindOf(schema) === 'object') return <Properties schema={schema} root={root} value={value} onChange={onChange} />;
  const change = (typed: unknown) => onChange((typed ?? {}) as Readonly<Record<string, unknown>>);
  return <Field name={t('arguments')} schema={schema} root={root} isRequired value={value} onChange={change} />;
}

function Properties(props: {
  readonly schema: Schema;
  readonly root: Schema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
}) {
  const { schema, root, value, onChange } = props;
  const { properties = {}, required = [] } = schema;
  const change = (name: string, changed: unknown) => {
    const { [name]: _, ...rest } = value;
    onChange(changed === undefined ? rest : { ...rest, [name]: changed });
  };
  return (
    <>
      {Object.entries(properties).map(([name, property]) => (
        <Field
          key={name}
          name={name}
          schema={resolve(property, root)}
          root={root}
          isRequired={required.includes(name)}
          value={value[name]}
          onChange={(changed) => change(name, changed)}
        />
      ))}
    </>
  );
}

function Field(props: FieldProps) {
  const { name, schema, isRequired, value, onChange } = props;
  const id = useId();
  const kind = kindOf(schema);
  const help = schema.description && (
    <p class="help" id={`${id}-help`}>
      {schema.description.slice(0, SHOWN_DESCRIPTION)}
      {schema.description.length > SHOWN_DESCRIPTION && '…'}
    </p>
  );
  const title = (
    <>
      <span class="mono">{name}</span>
      <Separator />
      <span class={isRequired ? 'needed' : 'muted'}>{isRequired ? t('required') : t('optional')}</span>
    </>
  );
  if (kind === 'object' || kind === 'array') {
    return (
      <fieldset>
        <legend>{title}</legend>
        {help}
        {kind === 'object' ? <ObjectField {...props} /> : <ArrayField {...props} />}
      </fieldset>
    );
  }
  const described = help ? { 'aria-describedby': `${id}-help` } : {};
  if (kind === 'boolean') {
    return (
      <div class="field">
        <label class="check" for={id}>
          <input
            id={id}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
            {...described}
          />
          {title}
        </label>
        {help}
      </div>
    );
  }
  return (
    <div class="field">
      <label for={id}>{title}</label>
      {kind === 'choice' && <Choice id={id} described={described} {...props} />}
      {kind === 'number' && (
        <input
          id={id}
          type="number"
          step={schema.type === 'integer' ? 1 : 'any'}
          min={schema.minimum}
          max={schema.maximum}
          value={value === undefined ? '' : String(value)}
          onInput={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value))
          }
          {...described}
        />
      )}
      {kind === 'text' && <TextField id={id} described={described} {...props} />}
      {kind === 'json' && <JsonField id={id} {...props} />}
      {help}
    </div>
  );
}

/** One line, so that Enter runs the tool. A button, or pasting several lines, makes it a larger field. */
function TextField({ id, schema, isRequired, value, onChange, described }: ControlProps) {
  const text = String(value ?? '');
  const [isLarge, setLarge] = useState(isMultiLine(schema) || text.includes('\n'));
  const isSwitched = useRef(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isSwitched.current) area.current?.focus();
  }, [isLarge]);
  const change = (typed: string) => onChange(typed === '' && !isRequired ? undefined : typed);
  const enlarge = () => {
    isSwitched.current = true;
    setLarge(true);
  };
  if (isLarge) {
    return (
      <textarea
        id={id}
        ref={area}
        rows={5}
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        {...described}
      />
    );
  }
  const paste = (event: ClipboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (!pasted.trim().includes('\n')) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    change(text.slice(0, selectionStart ?? text.length) + pasted + text.slice(selectionEnd ?? text.length));
    enlarge();
  };
  return (
    <div class="row">
      <input
        id={id}
        class="grow"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onPaste={paste}
        {...described}
      />
      <button
        type="button"
        class="quiet"
        aria-label={t('severalLines')}
        title={t('severalLines')}
        aria-controls={id}
        onClick={enlarge}
      >
        ¶
      </button>
    </div>
  );
}

function Choice({ id, schema, isRequired, value, onChange, described }: ControlProps) {
  const choices = schema.enum ?? [];
  return (
    <select
      id={id}
      value={String(choices.indexOf(value))}
      onChange={({ currentTarget }) => onChange(choices[Number(currentTarget.value)])}
      {...described}
    >
      {!isRequired && <option value="-1">–</option>}
      {choices.map((choice, index) => (
        <option key={index} value={String(index)}>
          {String(choice)}
        </option>
      ))}
    </select>
  );
}

/** Values that have no control of their own. The text is kept while it is not yet valid. */
function JsonField({ id, value, onChange }: FieldProps & { readonly id: string }) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [isValid, setValid] = useState(true);
  const change = (typed: string) => {
    setText(typed);
    try {
      onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
      setValid(true);
    } catch {
      setValid(false);
    }
  };
  return (
    <>
      <textarea
        id={id}
        class="mono"
        rows={3}
        placeholder={t('jsonValue')}
        aria-invalid={!isValid}
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      {!isValid && <p class="error-text">{t('notJson')}</p>}
    </>
  );
}

function ObjectField({ name, schema, root, isRequired, value, onChange }: FieldProps) {
  if (value === undefined || value === null) {
    return (
      <button type="button" class="quiet" onClick={() => onChange(initialValue(schema, root, true))}>
        {t('isSet', { name })}
      </button>
    );
  }
  return (
    <>
      <Properties schema={schema} root={root} value={(value ?? {}) as Record<string, unknown>} onChange={onChange} />
      {!isRequired && (
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          {t('remove')}
        </button>
      )}
    </>
  );
}

function ArrayField({ schema, root, value, onChange }: FieldProps) {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const item = resolve(schema.items ?? {}, root);
  return (
    <>
      {items.map((each, index) => (
        <div key={index} class="array-item">
          <Field
            name={String(index + 1)}
            schema={item}
            root={root}
            isRequired
            value={each}
            onChange={(changed) => onChange(items.map((old, at) => (at === index ? changed : old)))}
          />
          <button
            type="button"
            class="quiet"
            aria-label={t('removeItem', { index: index + 1 })}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" class="quiet" onClick={() => onChange([...items, initialValue(item, root, true) ?? null])}>
        {t('addItem')}
      </button>
    </>
  );
}
