interface SparklineProps {
  values: number[];
  /** Describes the drawing in a sentence, because there is no table behind it. */
  label: string;
}

/** Bars of one pixel-wide series, without axes: its shape, not its values. */
export function Sparkline({ values, label }: SparklineProps) {
  const most = Math.max(1, ...values);
  return (
    <svg
      viewBox={`0 0 ${values.length * 4} 24`}
      preserveAspectRatio="none"
      className="h-6 w-full print:[print-color-adjust:exact]"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        // nothing is a hairline, so that a pause looks like one
        const height = value === 0 ? 1 : 2 + (value / most) * 22;
        return (
          <rect
            key={index}
            x={index * 4 + 0.5}
            width={3}
            y={24 - height}
            height={height}
            fill={value === 0 ? 'var(--line-strong)' : 'var(--chart-1)'}
          />
        );
      })}
    </svg>
  );
}
