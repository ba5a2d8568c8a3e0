type OptionsProps = { options: readonly (readonly [value: string, text: string])[] };

/** The options of a select. */
export function Options({ options }: OptionsProps) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

type Props = OptionsProps & {
  id: string;
  name?: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/** A labelled select that takes effect at once, outside of forms. */
export function Choice({ id, name, label, options, value, onChange }: Props) {
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      <select
        id={id}
        name={name}
        className="select w-full"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <Options options={options} />
      </select>
    </div>
  );
}
