import './styles.css';

function Weather({ city, degrees }: { city: string; degrees: number }) {
  return (
    <p className="weather">
      {city}: {degrees} °C
    </p>
  );
}

export default { weather: Weather };
